import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { go } from '#kit/web/go.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { editNode, incrementNode, listNodes, type IncrementNode } from '../contract/node.ts'
import { menu } from '../module.ts'
import { places } from './places.ts'

const shown = columns(listNodes.output, [
  { key: 'nodeName', identity: true, grow: 1 },
  'nodeType',
  {
    key: 'quantity',
    width: 110,
    render: n => `${n.quantity.toLocaleString('en-US')} ${n.unit}`,
    text: n => `${n.quantity} ${n.unit}`,
  },
  { key: 'price', drop: 1 },
  { key: 'beginDate', drop: 1 },
  'expireDate',
  { key: 'remark', roomy: true },
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

/** What the company has of value-added services; of one sort where it is said. */
export function Nodes({ type }: { readonly type?: IncrementNode['nodeType'] }) {
  const form = useEdit({
    what: '增值服务',
    edit: editNode,
    rowIsWhole: true,
    name: (n: IncrementNode) => n.nodeName,
    groups: [{ keys: ['nodeName', { key: 'remark', wide: true }] }],
  })
  const verbs = (n: IncrementNode): Verbs => [
    n.expireDate !== undefined &&
      n.state !== 'opening' && {
        label: '续费',
        may: menu.increment.may.add,
        run: () => go(places.pay(n.productId, n.id)),
      },
    n.state === 'opening' && { label: '查看订单', may: menu.order.may.view, run: () => go(places.pending()) },
    form.edit(n),
  ]
  return (
    <>
      <ListPage
        embedded
        list={listNodes}
        what="增值服务"
        columns={shown}
        bar={type ? ['state'] : ['nodeType', 'state']}
        filters={type ? ['state', 'expireDate'] : ['nodeType', 'state', 'expireDate']}
        {...(type ? { fixed: { nodeType: [type] } } : {})}
        name={`increment-${type ?? 'all'}`}
        row={verbs}
        drawer={{ title: n => n.nodeName, groups, history: incrementNode.name, verbs }}
      />
      {form.dialog}
    </>
  )
}
