import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** NOT-2. */
export const activityState = choiceTable('ActivityState', '活动状态', {
  draft: [10, '草稿', 'todo'],
  published: [30, '已发布', 'done'],
  cancelled: [40, '已取消', 'off'],
  ended: [50, '已结束', 'off'],
})

export type ActivityState = ChoiceOf<typeof activityState>

export const signState = choiceTable('ActivitySignState', '报名状态', {
  signed: [10, '已报名', 'doing'],
  checkedIn: [20, '已签到', 'done'],
  cancelled: [30, '已取消', 'off'],
  waiting: [40, '候补', 'todo'],
})

export type SignState = ChoiceOf<typeof signState>

export const cancelSource = choiceTable('ActivityCancelSource', '取消方', {
  resident: [10, '住户'],
  staff: [20, '物业'],
  activity: [30, '活动取消'],
})

/** Of a sign-up with a fee, by its bill; none where nothing is to be paid. */
export const signPayState = choiceTable('ActivityPayState', '缴费状态', {
  unpaid: [0, '未缴费', 'todo'],
  paid: [1, '已缴费', 'done'],
  refundDue: [2, '待退费', 'bad'],
  refunded: [3, '已退费', 'off'],
})

export type SignPayState = ChoiceOf<typeof signPayState>
