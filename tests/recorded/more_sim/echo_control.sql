SHOW TABLES /* (ab) */;
SHOW VIEWS /* cd) */;
