import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { sendAndToast } from '#kit/web/record-actions.ts'
import { markOrdersViewed } from '../contract/order.ts'
import { countOrders, exportOrders, listOrders } from '../contract/order-list.ts'
import { menu, paths } from '../module.ts'
import { orderColumns } from './order-columns.tsx'
import { extraOrderFilters, orderFilters, orderViews } from './order-views.ts'
import { openOrder } from './order-address.ts'
import { useLiveOrders } from './live-orders.ts'
import { StateCounts } from './state-counts.tsx'

const mark = async (ids: readonly string[], isViewed: boolean): Promise<void> => {
  await sendAndToast(markOrdersViewed, { ids, isViewed }, isViewed ? '已标记为已读' : '已标记为未读')
}

/** 工单记录: all orders that somebody may see, with the time that is left. */
export default function OrderListPage() {
  useLiveOrders(listOrders, countOrders)
  return (
    <ListPage
      list={listOrders}
      itemName="工单"
      columns={orderColumns}
      filters={orderFilters}
      extraFilterFields={extraOrderFilters}
      barFilters={['level', 'typeId', 'handlerId']}
      views={orderViews}
      keywordPlaceholder="工单号、位置、报事人、电话、标题"
      primaryAction={{
        label: '登记工单',
        needs: menu.order.permissions.add,
        run: () => navigateTo(paths.register),
      }}
      rowActions={row => [{ label: '办理', run: () => openOrder(row.id) }]}
      batchActions={[
        { label: '标记已读', run: selected => mark(selected.ids, true) },
        { label: '标记未读', run: selected => mark(selected.ids, false) },
      ]}
      export={exportOrders}
      belowToolbar={<StateCounts />}
      drawer={{
        title: row => row.orderNo,
        width: 880,
        openAsPage: row => openOrder(row.id),
        actions: row => [{ label: '办理', run: () => openOrder(row.id) }],
      }}
    />
  )
}
