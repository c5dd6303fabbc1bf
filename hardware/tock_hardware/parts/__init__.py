"""Parts to print: pawn, reed holder, coupon, camera bracket, panel box; made by code as STL and as pictures."""
