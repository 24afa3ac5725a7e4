import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

export const visitorKind = choiceTable('VisitorKind', '访客类别', {
  friend: [10, '亲友'],
  delivery: [20, '快递外卖'],
  decoration: [30, '装修'],
  housekeeping: [40, '家政'],
  business: [50, '商务'],
  viewing: [60, '看房'],
})

export type VisitorKind = ChoiceOf<typeof visitorKind>

export const hostType = choiceTable('VisitorHostType', '邀请方', {
  resident: [10, '住户'],
  company: [20, '企业'],
  staff: [30, '物业员工'],
})

export type HostType = ChoiceOf<typeof hostType>

/** Whose consent a visit needs (VIS-1). */
export const checkType = choiceTable('VisitorCheckType', '核验方式', {
  exempt: [1, '免审'],
  host: [2, '被访人确认'],
  property: [3, '物业审核'],
  both: [4, '两级审批'],
})

export type CheckType = ChoiceOf<typeof checkType>

/** Of an invitation and of each of its visitors. */
export const visitState = choiceTable('VisitState', '状态', {
  pending: [10, '待审核', 'todo'],
  passed: [20, '已通过', 'open'],
  arrived: [30, '已到访', 'doing'],
  left: [40, '已离开', 'done'],
  refused: [50, '已驳回', 'bad'],
  cancelled: [60, '已取消', 'off'],
  expired: [70, '已过期', 'off'],
})

export type VisitState = ChoiceOf<typeof visitState>

/** Whose decision an invitation waits for. */
export const approvalStage = choiceTable('VisitApprovalStage', '待谁审批', {
  host: [10, '被访人', 'todo'],
  property: [20, '物业', 'todo'],
})

export type ApprovalStage = ChoiceOf<typeof approvalStage>

export const decisionKind = choiceTable('VisitDecision', '审批结果', {
  passed: [10, '通过', 'done'],
  refused: [20, '驳回', 'bad'],
})

/** What a question of a rule is answered with. */
export const questionKind = choiceTable('VisitQuestionKind', '填写方式', {
  text: [10, '文字'],
  choice: [20, '单选'],
  flag: [30, '是或否'],
})

/** Which way somebody passes a gate. */
export const passDirection = choiceTable('VisitDirection', '方向', {
  in: [10, '进入'],
  out: [20, '离开'],
})

export type PassDirection = ChoiceOf<typeof passDirection>

/** What a code was worth at a gate (InviteValid). */
export const validResult = choiceTable('InviteValidResult', '核验结果', {
  passed: [10, '通过', 'done'],
  expired: [20, '已过期', 'off'],
  usedUp: [30, '次数用尽', 'bad'],
  blocked: [40, '黑名单', 'bad'],
  early: [50, '未到时间', 'hold'],
  invalid: [60, '无效码', 'bad'],
  /** A door let somebody in though no entrance was left. */
  overused: [70, '超次通行', 'bad'],
})

export type ValidResult = ChoiceOf<typeof validResult>

/** Of an entry in the visitors' book. */
export const recordState = choiceTable('VisitRecordState', '在访', {
  inside: [10, '在访', 'doing'],
  left: [20, '已离开', 'done'],
})

export const templateState = choiceTable('InviteTemplateState', '状态', {
  draft: [10, '草稿', 'hold'],
  published: [20, '已发布', 'done'],
})

/** What a part of an invitation's picture shows. */
export const templatePart = choiceTable('InviteTemplatePart', '内容', {
  text: [10, '文字'],
  qr: [20, '二维码'],
  code: [30, '邀请码'],
  visitorName: [40, '访客姓名'],
  hostName: [50, '被访人'],
  place: [60, '拜访地点'],
  period: [70, '有效时间'],
  estateName: [80, '项目名称'],
  plateNo: [90, '车牌'],
})

export const textAlign = choiceTable('InviteTextAlign', '对齐', {
  left: [10, '左对齐'],
  center: [20, '居中'],
  right: [30, '右对齐'],
})
