alter table activity validate constraint activity_fee;
alter table activity validate constraint activity_fee_item;
alter table activity_sign validate constraint activity_sign_amounts;
