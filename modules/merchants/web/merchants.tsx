import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { usePermission } from '#kit/web/session.ts'
import { exportMerchants, importMerchants, merchants, type Merchant } from '../contract/merchant.ts'
import { menu, merchantScreens } from '../module.ts'
import { MerchantStaffList } from './merchant-staff.tsx'
import { merchantTabs } from './public.merchant-tabs.ts'

const MerchantAccountList = lazyComponent(() =>
  import('./merchant-accounts.tsx').then(m => m.MerchantAccountList),
)
const ShopControl = lazyComponent(() => import('./shop-control.tsx').then(m => m.ShopControl))

function useMerchantExtras(): CrudExtras<Merchant, unknown> {
  const hasPermission = usePermission()
  const tabs = merchantTabs
    .useAll()
    .filter(({ needs }) => hasPermission(needs))
    .map(({ key, label, Body }) => ({
      key,
      label,
      body: (merchant: Merchant) => <Body merchant={merchant} />,
    }))
  return { tabs }
}

export const pages = crudPages(merchants, {
  paths: merchantScreens.paths,
  unit: '家商户',
  useExtras: useMerchantExtras,
  import: importMerchants,
  export: exportMerchants,
  deletion: { consequences: ['还有员工或余额未结清的商户不能删除；不再营业请改为注销'] },
  columns: [
    { key: 'name', identity: true, grow: 2 },
    { key: 'merchantNo', hidePriority: 2 },
    { key: 'roomPath', width: 120, grow: 1 },
    { key: 'category', hidePriority: 2 },
    { key: 'contactName', hidePriority: 1 },
    { key: 'contactPhone', fitContent: true },
    'creditLimit',
    'balance',
    { key: 'loginAccount', hiddenByDefault: true },
    { key: 'createTime', title: '登记时间', hiddenByDefault: true },
    'state',
  ],
  list: {
    filters: ['state', 'category', 'creditLimit', 'balance', 'createTime'],
    barFilters: [],
    views: [
      { id: '', name: '营业', filter: { state: ['open'] } },
      { id: 'shut', name: '停业', filter: { state: ['shut'] } },
      { id: 'ended', name: '已注销', filter: { state: ['ended'] } },
      { id: 'all', name: '全部', filter: { state: ['open', 'shut', 'ended'] } },
    ],
  },
  detail: [
    { title: '商户', keys: ['name', 'merchantNo', 'state', 'category', 'roomPath', 'roomCode'] },
    { title: '联系与账号', keys: ['contactName', 'contactPhone', 'loginAccount', 'creditLimit', 'balance'] },
    { title: '其他', keys: ['license', 'remark', 'createTime', 'updateTime'] },
  ],
  tabs: [
    {
      key: 'staff',
      label: '员工',
      needs: menu.staff.permissions.view,
      body: m => <MerchantStaffList of={m} />,
    },
    {
      key: 'accounts',
      label: '登录账号',
      needs: menu.account.permissions.view,
      body: m => <MerchantAccountList of={m} />,
    },
  ],
  form: {
    groups: [
      {
        title: '商户',
        keys: [
          'name',
          'merchantNo',
          'category',
          { key: 'roomId', control: ShopControl, help: '无商铺的商户可不选' },
          { key: 'state', wide: true },
          'license',
        ],
      },
      {
        title: '联系与账号',
        keys: [
          'contactName',
          'contactPhone',
          'loginAccount',
          { key: 'creditLimit', help: '赊销额度上限；0 为不赊销' },
          'remark',
        ],
      },
    ],
  },
})
