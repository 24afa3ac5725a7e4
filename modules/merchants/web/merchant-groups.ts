import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Merchant } from '../contract/merchant.ts'
import { ShopControl } from './shop-control.tsx'

export const formGroups: readonly FormFieldGroup[] = [
  {
    title: '商家',
    keys: [
      { key: 'name', wide: true },
      'merchantNo',
      'category',
      { key: 'roomId', control: ShopControl, wide: true, help: '没有铺位的商家可以不选' },
      { key: 'state', wide: true },
      { key: 'license', wide: true },
    ],
  },
  {
    title: '联系与账号',
    keys: [
      'contactName',
      'contactPhone',
      'loginAccount',
      { key: 'creditLimit', help: '允许先买后付的上限；0 为不赊销' },
      { key: 'remark', wide: true },
    ],
  },
]

export const detailGroups: readonly DetailGroup<Merchant>[] = [
  { title: '商家', keys: ['name', 'merchantNo', 'state', 'category', 'roomPath', 'roomCode'] },
  { title: '联系与账号', keys: ['contactName', 'contactPhone', 'loginAccount', 'creditLimit', 'balance'] },
  { title: '其他', keys: ['license', 'remark', 'createTime', 'updateTime'] },
]
