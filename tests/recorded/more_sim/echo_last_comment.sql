SHOW TABLES;
-- (a) 
SHOW VIEWS; -- (b) [c
-- d]
