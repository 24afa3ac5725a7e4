import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choices,
  choiceTable,
  file,
  flag,
  idOf,
  int,
  lines,
  list,
  moment,
  part,
  text,
  type ValueOf,
} from '#kit/contract/field.ts'
import { draftOf, noData, recordOf, listOfRows, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

export const docType = choiceTable('PrintDocType', '单据', {
  receipt: [10, '收款收据'],
  prestore: [15, '预存收据'],
  bill: [20, '账单'],
  demand: [30, '催缴单'],
  deposit: [40, '押金收据'],
  refund: [50, '退款单'],
  visitor: [60, '访客单'],
  workOrder: [70, '工单'],
  purchase: [80, '采购单'],
  invoices: [90, '发票清单'],
  handover: [100, '交账单'],
})

export const paperSize = choiceTable('PaperSize', '纸张', {
  a4: [10, 'A4 210 × 297 mm'],
  a5: [20, 'A5 148 × 210 mm'],
  third: [30, '三等分 241 × 93 mm'],
  roll: [40, '热敏 80 mm'],
  half: [50, '二等分 241 × 140 mm'],
})

/** The parts of documents; `layoutByDocType` lists those of each kind. */
export const printPart = choiceTable('PrintPart', '打印内容', {
  logo: [10, '公司标志'],
  no: [20, '单号'],
  date: [30, '日期'],
  payer: [40, '缴费人'],
  room: [50, '房号'],
  phone: [60, '联系电话'],
  period: [70, '账期'],
  basis: [80, '计费依据'],
  lateFee: [90, '违约金'],
  discount: [100, '减免'],
  due: [110, '最后缴费日'],
  capitals: [120, '大写金额'],
  method: [130, '支付方式'],
  operator: [140, '经办人'],
  signature: [150, '签字栏'],
  remark: [160, '备注'],
  printTime: [170, '打印时间'],
  contact: [180, '公司联系方式'],
  item: [200, '收费项目'],
  source: [210, '收费对象'],
  principal: [220, '本金'],
  amount: [230, '金额'],
  gift: [240, '赠送'],
  after: [250, '余额'],
  deducted: [260, '已扣款'],
  back: [270, '已退还'],
})

/** The project of a setting; without one it is the company's, for every project without its own. */
const estateCodeField = text('适用项目', {
  max: 20,
  dataDomain: 'project',
  immutable: true,
  wire: 'EstateCode',
})

/**
 * How one kind of document is printed: its paper, its parts, their order and labels. A kind without a row is
 * printed by `printDefaults`.
 */
export const propertyPrint = entity(
  'propertyPrint',
  '打印设置',
  { table: 'property_print', tenancy: 'company', title: 'title', order: ['docType'] },
  {
    estateCode: estateCodeField,
    docType: choice('单据', docType, { required: true, immutable: true }),
    title: text('标题', { required: true, max: 40, help: '公司名称印在标题前面；可用占位符' }),
    logo: file('标志', { wire: 'LogoUrl', help: '不上传时使用公司信息中的标志；打印时须勾选「公司标志」' }),
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
    parts: choices('打印内容', printPart, { help: '仅打印勾选项，按此顺序' }),
    labels: lines(
      '名称',
      {
        part: choice('内容', printPart, { required: true }),
        label: text('名称', { required: true, max: 12 }),
      },
      { max: 40, wire: 'LabelJson' },
    ),
    header: text('页眉', { max: 120 }),
    footer: text('页脚', { max: 300 }),
  },
)

export type PropertyPrint = Row<typeof propertyPrint>

/** What a sheet says of the company: names, logo, and how it is reached. */
const headingFields = {
  companyName: text('公司名称'),
  companyContact: text('公司联系人'),
  companyPhone: text('公司联系电话'),
  companyAddress: text('公司地址'),
  companyLogo: file('公司标志', { wire: 'CompanyLogoUrl' }),
  estateName: text('项目名称'),
}

const {
  createTime: _createTime,
  updateTime: _updateTime,
  version: _version,
  id: _id,
  ...settingFields
} = propertyPrint.fields

/** A setting with its heading: as it is now, or as it was when it was saved or first printed by. */
export const printTemplateFields = { ...settingFields, ...headingFields }
export type PrintTemplate = ValueOf<typeof printTemplateFields>

const settingKeyFields = { docType: propertyPrint.fields.docType, estateCode: estateCodeField }

/**
 * All kinds, including those never saved, so that every print has a setting: the project's own, else the
 * company's, else the shipped one.
 */
export const listPrintSettings = call({
  route: 'GET PropertyPrint/Get',
  title: '打印设置',
  needs: everyone,
  input: shape({ estateCode: estateCodeField }),
  output: listOfRows({ ...propertyPrint.fields, ...headingFields, id: idOf('编号', { wire: 'ID' }) }),
})

export const savePrintSetting = call({
  route: 'PUT PropertyPrint/Put',
  title: '修改打印设置',
  needs: menu.print.permissions.edit,
  input: draftOf(propertyPrint),
  output: recordOf(propertyPrint),
  affects: ['propertyPrint'],
})

/**
 * The project prints by the company's template again, the company by the shipped one. What was printed stays
 * as it was.
 */
export const deletePrintSetting = call({
  route: 'DELETE PropertyPrint/Delete',
  title: '停用单据模板',
  needs: menu.print.permissions.edit,
  input: shape(settingKeyFields),
  output: noData,
  affects: ['propertyPrint'],
})

/** Every version that was saved or printed by, the newest first. */
export const listPrintTemplateVersions = call({
  route: 'GET PropertyPrint/GetEditions',
  title: '单据模板的版本',
  needs: menu.print.permissions.view,
  input: shape(settingKeyFields),
  output: listOfRows(
    {
      id: idOf('编号', { required: true, wire: 'ID' }),
      savedAt: moment('时间', { required: true }),
      savedBy: text('保存人'),
      paper: part('模板', printTemplateFields, { required: true }),
    },
    { entity: 'propertyPrint' },
  ),
})
