/** The groups of the menu in the order in which service staff need them; settings come last. */
export const menuGroups: readonly string[] = [
  '收银',
  '账单',
  '收款',
  '预存',
  '押金',
  '发票',
  '仪表与抄表',
  '出账',
  '对账',
  '报表',
  '业务报表',
  '收费设置',
]
