import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { merchantStaffs, type Merchant } from '../contract/merchant.ts'

const { model } = crudPages(merchantStaffs, {
  unit: '名商户员工',
  deletion: { reasons: ['已离开该商户', '录入有误'] },
  columns: [
    { key: 'name', identity: true },
    { key: 'mobile', fitContent: true },
    'roleType',
    { key: 'createTime', title: '登记时间' },
    'state',
  ],
  form: {
    groups: [{ keys: ['name', 'mobile', { key: 'roleType', wide: true }, { key: 'state', wide: true }] }],
    presentation: 'dialog',
  },
  list: {
    embedded: true,
    settingsKey: 'merchants/staff',
    filters: ['roleType', 'state'],
    barFilters: ['roleType', 'state'],
  },
  drawer: false,
})

/** Who works in a shop. */
export const MerchantStaffList = ({ of }: { readonly of: Merchant }) => (
  <CrudList
    model={model}
    canAdd={of.state !== 'ended'}
    initial={{ merchantId: of.id, projectCode: of.projectCode }}
    list={{ fixedFilter: { merchantId: [String(of.id)], projectCode: of.projectCode } }}
  />
)
