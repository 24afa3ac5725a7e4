import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { merchantCoupons, updateCouponState, type MerchantCoupon } from '../contract/coupon.ts'
import { sendAndToast } from '#kit/web/record-actions.ts'
import { couponText, faceValueFault } from '../domain/coupon.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'

type Values = Partial<MerchantCoupon>

const isFree = ({ kind }: Values): boolean => kind === 'free'

function validateCoupon({ kind, faceValue }: Values): Record<string, string> {
  const fault = kind && faceValueFault({ kind, faceValue })
  return fault ? { faceValue: fault } : {}
}

const setState = (state: 'on' | 'off', doneText: string) => (row: MerchantCoupon) =>
  sendAndToast(updateCouponState, { id: row.id, state }, `${doneText}「${row.couponName}」`)

export const pages = crudPages(merchantCoupons, {
  paths: { add: paths.add, detail: paths.detail },
  unit: '种停车券',
  deletion: {
    consequences: ['已有订单的停车券不能删除；不再使用请停用'],
    reasons: ['录入有误', '不再使用'],
  },
  columns: [
    { key: 'couponName', identity: true, grow: 1 },
    { key: 'parkName', grow: 1, hidePriority: 1 },
    { key: 'kind', title: '优惠', width: 140, text: couponText, render: couponText },
    'sellPrice',
    { key: 'validDays', hidePriority: 2 },
    { key: 'validTo', hidePriority: 1 },
    { key: 'dayLimit', hidePriority: 3 },
    'soldQty',
    { key: 'totalQty', hidePriority: 3 },
    'state',
  ],
  actions: [
    {
      label: '停用',
      needs: menu.coupon.permissions.state,
      isOffered: row => row.state === 'on',
      run: setState('off', '已停用'),
    },
    {
      label: '启用',
      needs: menu.coupon.permissions.state,
      isOffered: row => row.state === 'off',
      run: setState('on', '已启用'),
    },
  ],
  form: {
    useInitial: () => ({ kind: 'minutes', validDays: 1, dayLimit: 1, totalQty: 0 }),
    rules: validateCoupon,
    groups: [
      {
        title: '停车券',
        keys: ['couponName', 'parkId', { key: 'kind', wide: true }, { key: 'faceValue', isHidden: isFree }],
      },
      { title: '出售', keys: ['sellPrice', 'feeItemId', 'totalQty'] },
      { title: '使用', keys: ['validDays', 'validTo', 'dayLimit', { key: 'remark', wide: true }] },
    ],
  },
  detail: [
    { title: '停车券', keys: ['couponName', 'parkName', 'parkCode', 'kind', 'faceValue', 'state'] },
    { title: '出售', keys: ['sellPrice', 'feeItemName', 'soldQty', 'totalQty'] },
    { title: '使用', keys: ['validDays', 'validTo', 'dayLimit', 'remark', 'createTime'] },
  ],
})

/** 停车券: kinds with their values and prices. */
export const Coupons = () => (
  <CrudList
    model={pages.model}
    list={{
      embedded: true,
      addressed: true,
      pageSize: 15,
      barFilters: ['parkId', 'kind', 'state'],
      settingsKey: 'merchant-coupons/coupons',
      toolbarActions: [
        { label: '商户购券', needs: menu.order.permissions.buy, run: () => navigateTo(paths.buy) },
      ],
    }}
  />
)
