import { choiceTable, labelOf, text, type Field, type Rule } from '#kit/contract/field.ts'
import { allowMasked, rules } from '#kit/contract/rules.ts'

export const gender = choiceTable('Gender', '性别', {
  unknown: [0, '未知'],
  male: [1, '男'],
  female: [2, '女'],
})

export const userType = choiceTable('UserType', '客户类型', { person: [10, '个人'], firm: [20, '企业'] })

export const certType = choiceTable('CertType', '证件类型', {
  idCard: [10, '身份证'],
  hongKong: [20, '港澳台'],
  passport: [30, '护照'],
  officer: [40, '军官证'],
  licence: [50, '营业执照'],
  other: [90, '其他'],
})

export const userSource = choiceTable('UserSource', '来源', {
  backOffice: [10, '后台'],
  import: [20, '导入'],
  self: [30, '自助'],
  gatehouse: [40, '门岗'],
})

export const residentState = choiceTable('ResidentState', '状态', {
  normal: [10, '正常', 'done'],
  cancelled: [20, '注销', 'off'],
})

/** BASE-9, BASE-10. */
export const residencyStatus = choiceTable('UserRoomStatus', '入住状态', {
  pending: [10, '待审核', 'todo'],
  living: [20, '在住', 'done'],
  left: [30, '已迁出', 'off'],
  refused: [40, '已驳回', 'bad'],
})

export type ResidencyStatus = keyof typeof residencyStatus.rows

interface ShownResidency {
  readonly status: ResidencyStatus
  readonly inDate?: string | undefined
}

/** Who owns or rents a room and has no day of moving in does not live there: it stays empty (BASE-11). */
export const isMovedIn = ({ status, inDate }: ShownResidency): boolean =>
  status === 'living' && inDate !== undefined

/** The status as people read it. */
export const residencyStatusText = (residency: ShownResidency): string =>
  residency.status === 'living' && !isMovedIn(residency)
    ? '未入住'
    : labelOf(residencyStatus, residency.status)

export const applySource = choiceTable('ApplySource', '申请来源', {
  backOffice: [10, '后台'],
  self: [20, '业主端'],
  import: [30, '导入'],
})

/** What happened between a person and a room: the history of who lived where. */
export const residencyChange = choiceTable('Movement', '变动', {
  added: [10, '登记', 'open'],
  applied: [20, '提交审核', 'todo'],
  passed: [30, '审核通过', 'done'],
  refused: [40, '驳回', 'bad'],
  again: [50, '重新申请', 'todo'],
  movedIn: [60, '入住', 'done'],
  movedOut: [70, '迁出', 'off'],
  backIn: [80, '再次入住', 'done'],
  soldOut: [90, '过户转出', 'off'],
  boughtIn: [100, '过户转入', 'done'],
  mainSet: [110, '设为主业主'],
  payerSet: [120, '设为缴费人'],
  edited: [130, '修改'],
  merged: [140, '合并'],
  removed: [150, '删除', 'off'],
})

/** What a block keeps somebody from (BASE-15); paying it never does. */
export const blockScope = choiceTable('BlockScope', '限制范围', {
  visit: [10, '访客'],
  access: [20, '门禁'],
  booking: [30, '预约'],
})

export const cardType = choiceTable('CardType', '卡类型', {
  ic: [10, 'IC卡'],
  id: [20, 'ID卡'],
  cpu: [30, 'CPU卡'],
  idCard: [40, '身份证'],
  bluetooth: [50, '蓝牙'],
  nfc: [60, '手机NFC'],
})

export const cardState = choiceTable('CardState', '卡状态', {
  normal: [10, '正常', 'done'],
  lost: [20, '挂失', 'hold'],
  ended: [30, '注销', 'off'],
  expired: [40, '过期', 'bad'],
})

export const faceState = choiceTable('FaceState', '人脸状态', {
  waiting: [10, '待下发', 'todo'],
  good: [20, '有效', 'done'],
  failed: [30, '下发失败', 'bad'],
  deleted: [40, '已删除', 'off'],
})

/** Moves: previewed before they are done. */
export const moveKind = choiceTable('MoveKind', '办理', {
  checkout: [10, '迁出'],
  checkin: [20, '再次入住'],
  transfer: [30, '过户'],
  moveOut: [40, '企业迁出'],
})

export type MoveKind = keyof typeof moveKind.rows

const nameCharacters = /^[\p{L}\p{M}\p{N} ·•.．'’\-—()（）、,，&＆/]+$/u

/**
 * A name as people write one: letters of any script, the dot between parts, brackets; neither emoji nor
 * signs.
 */
export const nameRule: Rule = {
  name: 'personName',
  keepsSpaces: true,
  test: value =>
    /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u.test(value)
      ? '姓名不能含有表情符号，请删除后再保存'
      : nameCharacters.test(value)
        ? undefined
        : '姓名含有不能识别的符号，请只填写文字',
}

type PersonFieldOptions<R> = {
  readonly required?: R
  readonly wire?: string | readonly string[]
  readonly hiddenIn?: Field['hiddenIn']
  readonly synonyms?: readonly string[]
}

/** A mobile, hidden from those who may not see people's numbers in full. */
export const mobileField = <const R extends boolean = false>(
  label = '手机号',
  options: PersonFieldOptions<R> = {},
): Field<string, R, 'text'> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options carry `required`, which a spread loses
  text(label, { max: 20, rule: allowMasked(rules.mobile), masked: 'mobile', ...options } as never)

export const phoneField = <const R extends boolean = false>(
  label: string,
  options: PersonFieldOptions<R> = {},
): Field<string, R, 'text'> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options carry `required`, which a spread loses
  text(label, { max: 20, rule: allowMasked(rules.phone), masked: 'mobile', ...options } as never)

/** The number of a document; what it must look like depends on its kind (server: `certFault`). */
export const certField = <const R extends boolean = false>(
  options: PersonFieldOptions<R> = {},
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options carry `required`, which a spread loses
): Field<string, R, 'text'> => text('证件号', { max: 30, masked: 'idCard', ...options } as never)

/**
 * A mobile whose middle is hidden from everybody: enough for a picker to tell two people of one name apart.
 */
export const hiddenMobileField = text('手机号', { max: 20, wire: 'Mobile', derived: true, masked: 'mobile' })
