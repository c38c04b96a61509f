	SHOW	 TABLES /*	(a	b)	[c]	{d}	e */	;
SHOW TABLES	;
	
	SHOW TABLES /* ) */ ;	
