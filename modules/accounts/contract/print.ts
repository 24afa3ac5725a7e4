import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choices, choiceTable, flag, int, list, text } from '#kit/contract/field.ts'
import { draftOf, nothing, oneOf, rowsOf } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

export const docType = choiceTable('PrintDocType', '单据', {
  receipt: [10, '收据'], bill: [20, '账单'], demand: [30, '催缴单'], deposit: [40, '押金单'], refund: [50, '退款单'],
  visitor: [60, '访客单'], workOrder: [70, '工单'], purchase: [80, '采购单'], invoices: [90, '发票清单'], handover: [100, '交账单'],
})
export const paperSize = choiceTable('PaperSize', '纸张', { a4: [10, 'A4 210 × 297 mm'], a5: [20, 'A5 148 × 210 mm'], third: [30, '三等分 241 × 93 mm'], roll: [40, '热敏 80 mm'], half: [50, '二等分 241 × 140 mm'] })
/** What a document may show; which of them a kind of document knows says `partsOf`. */
export const printPart = choiceTable('PrintPart', '打印内容', {
  logo: [10, '公司标志'], no: [20, '单号'], date: [30, '日期'], payer: [40, '缴费人'], room: [50, '房号'], phone: [60, '联系电话'], period: [70, '账期'], basis: [80, '计费依据'], lateFee: [90, '违约金'], discount: [100, '减免'],
  due: [110, '最后缴费日'], capitals: [120, '大写金额'], method: [130, '收款方式'], operator: [140, '经办人'], signature: [150, '签字栏'], remark: [160, '备注'], printTime: [170, '打印时间'],
})

/** How one kind of document is printed. Without a row of its own a kind prints as `printDefaults` says. */
export const propertyPrint = entity('propertyPrint', '打印设置', { table: 'property_print', reach: 'company', title: 'title', order: ['docType'] }, {
  docType: choice('单据', docType, { required: true, fixed: true }),
  title: text('标题', { required: true, max: 40, help: '公司名称印在标题前面' }),
  paperSize: choice('纸张', paperSize, { required: true }),
  landscape: flag('横向', { required: true, initial: false }),
  marginTop: int('上边距', { required: true, min: 0, max: 50, unit: 'mm' }),
  marginRight: int('右边距', { required: true, min: 0, max: 50, unit: 'mm' }),
  marginBottom: int('下边距', { required: true, min: 0, max: 50, unit: 'mm' }),
  marginLeft: int('左边距', { required: true, min: 0, max: 50, unit: 'mm' }),
  fontSize: int('字号', { required: true, min: 7, max: 16, unit: 'pt' }),
  copies: int('联数', { required: true, min: 1, max: 6 }),
  copyNames: list('各联名称', { max: 6, help: '多个用逗号分隔，如 存根，缴费人，记账' }),
  showSeal: flag('显示印章位', { required: true, initial: true }),
  parts: choices('打印内容', printPart),
  header: text('页眉', { max: 100 }),
  footer: text('页脚', { max: 200 }),
})
export type PropertyPrint = Row<typeof propertyPrint>

/** All kinds, those never saved too, so that whoever prints has what to print by. */
export const printSettings = call({ at: 'GET PropertyPrint/Get', title: '打印设置', needs: everyone, input: nothing, output: rowsOf({ ...propertyPrint.fields, id: int('编号', { wire: 'ID' }) }) })
export const putPrint = call({ at: 'PUT PropertyPrint/Put', title: '修改打印设置', needs: menu.print.may.edit, input: draftOf(propertyPrint), output: oneOf(propertyPrint), affects: ['propertyPrint'] })
