//! Certificates of brinkmates: the whole strategy of the side that is right, and its replay by nothing but the rules.
