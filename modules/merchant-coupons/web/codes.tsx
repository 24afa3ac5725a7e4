import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { download } from '#kit/web/send.ts'
import { merchantCodes, printCode } from '../contract/code.ts'
import { menu } from '../module.ts'

const { model } = crudPages(merchantCodes, {
  unit: '个固定码',
  deletion: {
    consequences: ['已张贴的二维码失效；已领取的停车券不受影响'],
    reasons: ['录入有误', '二维码外泄', '不再使用'],
  },
  columns: [
    { key: 'codeName', identity: true, grow: 1 },
    { key: 'merchantName', grow: 1 },
    { key: 'couponName', grow: 1 },
    { key: 'createTime', title: '创建时间', width: 150, hidePriority: 1 },
    'state',
  ],
  form: {
    groups: [{ keys: ['codeName', 'merchantId', 'couponId', 'state'] }],
    presentation: 'dialog',
  },
  actions: [
    {
      label: '打印',
      needs: menu.ticket.permissions.code,
      disabledReason: row => (row.state === 'on' ? undefined : '固定码已停用'),
      run: row => download(printCode, { id: row.id, address: location.origin }),
    },
  ],
  drawer: false,
})

/** 固定码: at a merchant's counter; a car that is inside gets one coupon by it in each stay. */
export const Codes = () => (
  <CrudList
    model={model}
    list={{
      embedded: true,
      pageSize: 15,
      barFilters: ['merchantId', 'couponId', 'state'],
      settingsKey: 'merchant-coupons/codes',
    }}
  />
)
