-- What calls with secrets were asked with: the log kept keys, codes and tickets whose names it did not know.

update operation_log
set input = null
where call in (
  'POST User/ConfirmBindWx', 'POST CompanyWorker/PostJoin', 'POST CompanyWorker/SendJoinCode',
  'POST SmartMeter/PostReadings', 'PUT finance/v1/PayChannel/Put', 'POST Manager/SsoLogin',
  'PUT Manager/PutTransferPrivilege', 'POST Manager/ConfirmTotp', 'POST Manager/EndTotp', 'POST Manager/Login',
  'POST Manager/UpdateMobile', 'POST Manager/Register', 'POST Manager/SendValidCodeByImageCode',
  'POST Manager/SendValidCode', 'POST Manager/FindUpdatePassWord', 'POST Manager/CheckSmsCode',
  'POST Manager/ConfirmBindWx'
);
