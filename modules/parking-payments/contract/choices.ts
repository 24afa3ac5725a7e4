import { choiceTable } from '#kit/contract/field.ts'

/** What the host of a visit pays of a stay (PRK-24). */
export const hostFeeState = choiceTable('ParkingHostFeeState', '承担状态', {
  reserved: [10, '待支付'],
  billed: [20, '已出账'],
  returned: [30, '已退回'],
})
