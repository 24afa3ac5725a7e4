import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { editNode, incrementNode, listNodes, type IncrementNode } from '../contract/increment-node.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'

const listColumns = buildColumns(listNodes.output, [
  { key: 'nodeName', identity: true, grow: 1 },
  'nodeType',
  {
    key: 'quantity',
    width: 110,
    render: n => `${n.quantity.toLocaleString('en-US')} ${n.unit}`,
    text: n => `${n.quantity} ${n.unit}`,
  },
  { key: 'price', hidePriority: 1 },
  { key: 'beginDate', hidePriority: 1 },
  'expireDate',
  { key: 'remark', wideOnly: true },
  'state',
])

const groups = [
  {
    keys: [
      'nodeName',
      'nodeType',
      'quantity',
      'unit',
      'price',
      'beginDate',
      'expireDate',
      'state',
      'remark',
    ] as const,
  },
]

/** What the company has of value-added services; of one sort where given. */
export function IncrementNodes({ type }: { readonly type?: IncrementNode['nodeType'] }) {
  const form = useEdit({
    itemName: '增值服务',
    edit: editNode,
    isRowComplete: true,
    nameOf: (n: IncrementNode) => n.nodeName,
    groups: [{ keys: ['nodeName', 'remark'] }],
  })
  const getActions = (node: IncrementNode): Actions => [
    node.expireDate !== undefined &&
      node.state !== 'opening' && {
        label: '续费',
        needs: menu.increment.permissions.add,
        run: () => navigateTo(paths.valueOrder(node.productId, node.id)),
      },
    node.state === 'opening' && {
      label: '查看订单',
      needs: menu.order.permissions.view,
      run: async () => navigateTo((await import('./pending-orders.ts')).pendingOrdersLink()),
    },
    form.editAction(node),
  ]
  return (
    <>
      <ListPage
        embedded
        list={listNodes}
        itemName="增值服务"
        columns={listColumns}
        barFilters={type ? ['state'] : ['nodeType', 'state']}
        filters={type ? ['state', 'expireDate'] : ['nodeType', 'state', 'expireDate']}
        {...(type ? { fixedFilter: { nodeType: [type] } } : {})}
        settingsKey={`increment-${type ?? 'all'}`}
        rowActions={getActions}
        drawer={{ title: n => n.nodeName, groups, historyEntity: incrementNode.name, actions: getActions }}
      />
      {form.dialog}
    </>
  )
}
