SHOW TABLES;
SHOW ('a;
 (b) c
