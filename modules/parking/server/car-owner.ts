import type { FieldFault } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { findByIds } from '#kit/server/table.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { companyWorker } from '#modules/companies/contract/company-worker.ts'
import type { Car } from '../contract/car.ts'
import { carOwnerFault } from '../domain/car-state.ts'

type Owned = Pick<Car, 'userId' | 'companyId' | 'workerId' | 'ownerName' | 'mobile'>

interface Contact {
  readonly kind: 'resident' | 'worker' | 'company'
  readonly id: Id
  readonly name: string
  readonly mobile?: string
}

const idsOf = (rows: readonly Owned[], key: 'userId' | 'companyId' | 'workerId'): Id[] => [
  ...new Set(rows.flatMap(row => row[key] ?? [])),
]

/** Names and telephones of those to whom cars belong, in one query. */
async function findContacts(
  db: Db,
  ownerId: Id,
  rows: readonly Owned[],
): Promise<ReadonlyMap<string, Contact>> {
  const users = idsOf(rows, 'userId')
  const workers = idsOf(rows, 'workerId')
  const companies = idsOf(rows, 'companyId')
  if (!users.length && !workers.length && !companies.length) return new Map()
  const found = await db.rows<Contact>(sql`
    select 'resident' as kind, id, name, mobile
    from resident
    where owner_id = ${ownerId} and id = any(${users}::bigint[])
    union all
    select 'worker' as kind, id, name, mobile
    from company_worker
    where owner_id = ${ownerId} and id = any(${workers}::bigint[])
    union all
    select 'company' as kind, id, name, null as mobile
    from company
    where owner_id = ${ownerId} and id = any(${companies}::bigint[])
  `)
  return new Map(found.map(contact => [`${contact.kind}/${contact.id}`, contact]))
}

/**
 * Cars with the name and the telephone of the resident or the worker they belong to; of a company's car
 * without either, the company's name. A car of nobody registered has its own.
 */
export async function withOwners<T extends Owned>(
  db: Db,
  ownerId: Id,
  rows: readonly T[],
): Promise<readonly T[]> {
  const contacts = await findContacts(db, ownerId, rows)
  return rows.map(row => {
    const person = contacts.get(`resident/${row.userId ?? 0}`) ?? contacts.get(`worker/${row.workerId ?? 0}`)
    if (person) return { ...row, ownerName: person.name, mobile: person.mobile }
    const company = contacts.get(`company/${row.companyId ?? 0}`)
    return company && !row.ownerName ? { ...row, ownerName: company.name } : row
  })
}

/** Name and telephone as they are kept with the car: those of the person where one is registered. */
export async function keptOwner(draft: Owned, { tx, scope }: WriteContext): Promise<Partial<Owned>> {
  const [row] = draft.userId || draft.workerId ? await withOwners(tx, scope.ownerId, [draft]) : [draft]
  return { ownerName: row?.ownerName, mobile: row?.mobile }
}

/** A worker works in the company that is chosen. */
export async function ownerFaults(draft: Owned, { tx, scope }: WriteContext): Promise<FieldFault[]> {
  const message = carOwnerFault(draft)
  if (message)
    return [{ Field: draft.userId || draft.workerId ? 'CompanyID' : 'OwnerName', Message: message }]
  if (!draft.workerId) return []
  const [worker] = await findByIds(tx, companyWorker, scope, [draft.workerId])
  return worker && worker.companyId !== draft.companyId
    ? [{ Field: 'WorkerID', Message: '该员工不属于所选企业，请重新选择' }]
    : []
}
