SET 'a.b'='c';
RESET 'a.b';
RESET 'nope';
RESET a.b;
RESET;
RESET 'a.b' ;
SELECT 1;
