

SHOW TABLES /*

(x)

*/;
   SHOW VIEWS -- (y)
   ;   
