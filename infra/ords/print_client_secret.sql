-- Gives the client of settings.sql a new secret and prints it. A client has two: the older one of two goes, the other
-- stays valid. Part of register_client.sql and rotate_client_secret.sql.

DECLARE
  l_client_id VARCHAR2(4000 CHAR);
  l_secret VARCHAR2(4000 CHAR);
BEGIN
  SELECT c.client_id INTO l_client_id FROM user_ords_clients c WHERE c.name = '&client_name.';
  l_secret := ORDS_SECURITY.ROTATE_CLIENT_SECRET(p_name => '&client_name.');
  COMMIT;
  DBMS_OUTPUT.PUT_LINE('ORDS_CLIENT_ID=' || l_client_id);
  DBMS_OUTPUT.PUT_LINE('ORDS_CLIENT_SECRET=' || l_secret);
END;
/
