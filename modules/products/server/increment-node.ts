import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { findPage, update } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { editNode, incrementNode, listNodes, listNodePrices } from '../contract/increment-node.ts'
import { nodeState } from '../contract/labels.ts'
import { loadCatalogue } from './catalogue.ts'

export const nodeHandlers = [
  reads(listNodes, (q, { db, scope }) =>
    findPage(db, incrementNode, scope, q, { filters: listNodes.input.filters ?? [] }),
  ),
  writes(editNode, ({ id, version, nodeName, remark }, { tx, scope }) =>
    update(tx, incrementNode, scope, id, { nodeName, remark }, { version }),
  ),
  reads(listNodePrices, async (_, { db, scope }) => {
    const rows = await db.rows<{ productId: Id; stateCode: number; quantity: number }>(
      sql`
        select product_id, state as state_code, sum(quantity)::int as quantity
        from increment_node
        where owner_id = ${scope.ownerId} and ${notDeleted()}
        group by 1, 2
      `,
    )
    const quantityOf = (productId: Id, state: ChoiceOf<typeof nodeState>): number =>
      rows.find(row => row.productId === productId && row.stateCode === codeOf(nodeState, state))?.quantity ??
      0
    return (await loadCatalogue(db))
      .filter(p => p.kind === 'node')
      .map(product => ({
        productId: product.id,
        productName: product.productName,
        nodeType: defined(product.nodeType),
        intro: product.intro,
        unit: product.unit,
        chargeBy: product.chargeBy,
        price: defined(product.price),
        minQuantity: product.minQuantity,
        openCount: quantityOf(product.id, 'open'),
        openingCount: quantityOf(product.id, 'opening'),
        expiredCount: quantityOf(product.id, 'expired'),
      }))
  }),
]
