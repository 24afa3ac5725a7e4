import { choice, choiceTable, flag, int, list, text, type ValueOf } from '#kit/contract/field.ts'

/** What a field of an approval form holds, as the browser draws it and conditions compare it. */
export const formFieldKind = choiceTable('ProcessFormFieldKind', '字段类型', {
  text: [10, '文字'],
  paragraph: [15, '多行文字'],
  number: [20, '数字'],
  money: [30, '金额'],
  day: [40, '日期'],
  moment: [45, '时间'],
  choice: [50, '单选'],
  flag: [60, '是否'],
  department: [70, '部门'],
  files: [80, '附件'],
})

/** How a form is written in one text, for the API pages. */
export const formShape =
  '一个 JSON 对象的文本：键为表单字段的编号，值按字段的类型。金额 "1500.00"，数字 "1.5"，日期 "2026-02-28"，时间 "2026-02-28 09:12:00"，是否 1 或 0，单选为选项，部门为编号，附件为文件键的数组'

/** A field of a form: of a registered kind, or as the company drew it for a general form. */
export const formFieldFields = {
  key: text('编号', { required: true, max: 40 }),
  label: text('名称', { required: true, max: 40 }),
  fieldKind: choice('类型', formFieldKind, { required: true }),
  isRequired: flag('必填', { required: true }),
  options: list('选项', { max: 50, wire: 'Options' }),
  /** Keys of the options, where they differ from what is shown. */
  optionKeys: list('选项编号', { max: 50, wire: 'OptionKeys' }),
}

/** Of a registered kind, as its applicant amends it. */
export const amendFieldFields = {
  ...formFieldFields,
  maxLength: int('最多字数', { wire: 'MaxLength' }),
  /** Asked for while this other field has this option. */
  onlyWithField: text('所属字段', { max: 40, wire: 'OnlyWithField' }),
  onlyWithOption: text('所属选项', { max: 40, wire: 'OnlyWithOption' }),
}

export type AmendField = ValueOf<typeof amendFieldFields>

export type FormField = ValueOf<typeof formFieldFields>
