import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { phoneField } from '#modules/residents/contract/labels.ts'
import { menu } from '../module.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const

/** Whom the company buys from (STK-7). */
export const supplier = entity(
  'supplier',
  '供应商',
  { table: 'supplier', tenancy: 'company', title: 'supplierName', order: ['state', '-id'] },
  {
    supplierNo: text('编号', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      searchable: true,
      hiddenIn: ['filter'],
      help: '不填则自动生成',
    }),
    supplierName: text('名称', { required: true, max: 80, searchable: true }),
    category: text('供应类别', { max: 60, help: '如：保洁用品、工程材料' }),
    contactName: text('联系人', { max: 20, searchable: true, hiddenIn: ['filter'] }),
    phone: phoneField('电话', { hiddenIn: ['filter'] }),
    address: text('地址', { max: 120, ...inDetail }),
    taxNo: text('税号', { max: 20, rule: rules.lettersDigits, ...inDetail }),
    bankName: text('开户行', { max: 60, ...inDetail }),
    bankAccount: text('银行账号', { max: 30, rule: rules.lettersDigits, ...inDetail }),
    remark: text('备注', { max: 200, ...inDetail }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type Supplier = Row<typeof supplier>

export const suppliers = crud(supplier, {
  path: 'PropertySupplier',
  permissions: menu.supplier.permissions,
  filters: ['supplierName', 'category', 'state'],
  search: { ids: idsFilter },
})

/** What pickers see of a supplier: neither phone nor bank account. */
export const pickSuppliers = pickerOf(supplier, {
  route: 'GET PropertySupplier/GetPick',
  title: '选择供应商',
  fields: ['id', 'supplierNo', 'supplierName', 'category', 'state'],
  search: { ids: idsFilter },
})

export const exportSuppliers = crudExport(suppliers, {
  needs: menu.supplier.permissions.export,
  route: 'GET PropertySupplier/ExportExcel',
})
