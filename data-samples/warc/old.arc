filedesc://old.arc 0.0.0.0 20001122033344 text/plain 68
1 0 made-up
URL IP-address Archive-date Content-type Archive-length

http://old.example/ 192.0.2.7 20001122033344 text/html 67
HTTP/1.1 200 OK
Content-Type: text/html

<p>An old archive.</p>

