import { invalidField, notFound } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { findAll, insert, remove } from '#kit/server/table.ts'
import { addDelegate, endDelegate, listOwnDelegates, processDelegate } from '../contract/delegate.ts'
import { approverFaultOf } from '../domain/people.ts'
import { loadPeople } from './people.ts'

export const delegateHandlers = [
  reads(listOwnDelegates, (_, { db, scope }) =>
    findAll(db, processDelegate, scope, {}, { where: [sql`t.principal_id = ${scope.operatorId}`] }),
  ),
  writes(addDelegate, async ({ delegateId, beginDate, endDate, reason }, { tx, scope, today }) => {
    if (endDate < beginDate) throw invalidField('EndDate', '结束日期不能早于开始日期')
    if (endDate < today) throw invalidField('EndDate', '结束日期已过，请重新选择')
    if (delegateId === scope.operatorId) throw invalidField('DelegateID', '不能委托给自己')
    const fault = approverFaultOf(await loadPeople(tx, scope.ownerId, today), delegateId)
    if (fault === 'readOnly') throw invalidField('DelegateID', '受托人为只读账号，不能审批，请重新选择')
    if (fault) throw invalidField('DelegateID', '受托人不存在或已停用，请重新选择')
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`process_delegate ${scope.ownerId} ${scope.operatorId}`}, 0))`,
    )
    const crossing = await findAll(
      tx,
      processDelegate,
      scope,
      {},
      {
        where: [
          sql`t.principal_id = ${scope.operatorId}`,
          sql`t.begin_date <= ${endDate}::date and t.end_date >= ${beginDate}::date`,
        ],
      },
    )
    if (crossing.length) throw invalidField('BeginDate', '这段日期已有委托，请先撤销或更换日期')
    return insert(tx, processDelegate, scope, {
      principalId: scope.operatorId,
      delegateId,
      beginDate,
      endDate,
      reason,
    })
  }),
  writes(endDelegate, async ({ id }, { tx, scope }) => {
    const [own] = await findAll(
      tx,
      processDelegate,
      scope,
      {},
      { where: [sql`t.id = ${id}`, sql`t.principal_id = ${scope.operatorId}`] },
    )
    if (!own) throw notFound()
    await remove(tx, processDelegate, scope, [id])
  }),
]
