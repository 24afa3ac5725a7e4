import { choiceTable } from '#kit/contract/field.ts'

/** ACC-1 */
export const ownerKind = choiceTable('AccountOwnerKind', '账户主体', {
  room: [10, '房屋'],
  resident: [20, '客户'],
  company: [30, '企业'],
  car: [40, '车辆'],
})

/** ACC-2 */
export const entryType = choiceTable('EntryType', '类型', {
  topUp: [10, '充值'],
  deduct: [20, '冲抵'],
  undone: [21, '冲抵撤销'],
  refund: [30, '退款'],
  change: [40, '找零转存'],
  deposit: [50, '押金转入'],
  moveIn: [60, '转入'],
  moveOut: [61, '转出'],
  gift: [70, '赠送'],
  giftExpired: [71, '赠送过期'],
  adjust: [80, '调整'],
})

export const accountState = choiceTable('AssetState', '账户状态', {
  open: [10, '正常', 'done'],
  frozen: [20, '冻结', 'hold'],
  closed: [30, '销户', 'off'],
})

/** ACC-11 */
export const transferState = choiceTable('AssetTransferState', '转账状态', {
  pending: [10, '待审核', 'todo'],
  done: [20, '已转账', 'done'],
  rejected: [30, '已驳回', 'off'],
  cancelled: [40, '已取消', 'off'],
})
