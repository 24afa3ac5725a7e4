import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { findPage, update } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { editNode, incrementNode, listNodes, listNodePrices } from '../contract/increment-node.ts'
import { loadCatalogue } from './catalogue.ts'

export const nodeHandlers = [
  reads(listNodes, (q, { db, scope }) =>
    findPage(db, incrementNode, scope, q, { filters: listNodes.input.filters! }),
  ),
  writes(editNode, ({ id, version, nodeName, remark }, { tx, scope }) =>
    update(tx, incrementNode, scope, id, { nodeName, remark }, { version }),
  ),
  reads(listNodePrices, async (_, { db, scope }) => {
    const had = new Map(
      (
        await db.rows<{ key: string; n: number }>(
          sql`
            select product_id || ':' || state as key, sum(quantity)::int as n
            from increment_node
            where owner_id = ${scope.ownerId} and ${live()}
            group by 1
          `,
        )
      ).map(r => [r.key, r.n]),
    )
    return (await loadCatalogue(db))
      .filter(p => p.kind === 'node')
      .map(p => ({
        productId: p.id,
        productName: p.productName,
        nodeType: p.nodeType!,
        intro: p.intro,
        unit: p.unit,
        chargeBy: p.chargeBy,
        price: p.price!,
        minQuantity: p.minQuantity,
        openCount: had.get(`${p.id}:10`) ?? 0,
        openingCount: had.get(`${p.id}:30`) ?? 0,
        expiredCount: had.get(`${p.id}:20`) ?? 0,
      }))
  }),
]
