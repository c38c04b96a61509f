CREATE TABLE p (n INT) WITH ('connector' = 'print');
BEGIN STATEMENT SET;
INSERT INTO nope SELECT 'a';
END;
