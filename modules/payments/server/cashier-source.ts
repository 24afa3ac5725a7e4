import { parseId, type Id } from '#kit/domain/id.ts'
import { code as codeLiteral, notDeleted } from '#kit/server/sql.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { payerKind } from '#modules/rooms/contract/labels.ts'

export type SourceType = keyof typeof sourceType.rows

export interface SourceKey {
  readonly ownerId: Id
  readonly projectCode: string
  readonly type: SourceType
  readonly code: string
}

/** One object and who pays for it. */
export interface SourceSummary {
  readonly id?: Id
  readonly name: string
  readonly building?: string
  readonly area?: string
  /** Code of `payerSide`. */
  readonly payerKind?: number
  readonly payerId?: Id
  readonly payerName?: string
  readonly mobile?: string
  readonly relation?: string
}

const byCompany = codeLiteral(payerKind, 'company')

const findRoom = (db: Db, { ownerId, projectCode, code }: SourceKey): Promise<SourceSummary | undefined> =>
  db.one<SourceSummary>(sql`
    select r.id, r.path as name, r.build_code as building,
      trim_scale(coalesce(r.charge_area, r.build_area))::text as area,
      case
        when r.payer_kind = ${byCompany} then ${codeLiteral(payerSide, 'company')}
        when r.payer_id is not null then ${codeLiteral(payerSide, 'resident')}
        end as payer_kind,
      coalesce(case when r.payer_kind = ${byCompany} then r.company_id end, r.payer_id)::int as payer_id,
      r.payer_name, coalesce(p.mobile, c.contact_phone) as mobile,
      case r.payer_kind
        when ${codeLiteral(payerKind, 'owner')} then '业主'
        when ${codeLiteral(payerKind, 'tenant')} then '租户'
        when ${byCompany} then '企业'
        end as relation
    from room r
    left join resident p on p.owner_id = ${ownerId} and p.id = r.payer_id and r.payer_kind <> ${byCompany}
    left join company c on c.owner_id = ${ownerId} and c.id = r.company_id and r.payer_kind = ${byCompany}
    where r.owner_id = ${ownerId} and r.project_code = ${projectCode} and r.code = ${code} and ${notDeleted('r')}
  `)

const findCompany = (db: Db, { ownerId, projectCode, code }: SourceKey): Promise<SourceSummary | undefined> =>
  db.one<SourceSummary>(
    sql`
      select name, ${codeLiteral(payerSide, 'company')} as payer_kind, id as payer_id, name as payer_name,
        contact_phone as mobile, '企业' as relation
      from company
      where owner_id = ${ownerId} and project_code = ${projectCode} and company_no = ${code} and ${notDeleted()}
    `,
  )

const findCar = (db: Db, { ownerId, projectCode, code }: SourceKey): Promise<SourceSummary | undefined> =>
  db.one<SourceSummary>(
    sql`
      select c.id, c.plate_no as name, r.build_code as building,
        case
          when c.company_id is not null then ${codeLiteral(payerSide, 'company')}
          when c.user_id is not null then ${codeLiteral(payerSide, 'resident')}
          end as payer_kind,
        coalesce(c.company_id, c.user_id)::int as payer_id, coalesce(f.name, p.name, c.owner_name) as payer_name,
        coalesce(f.contact_phone, p.mobile, c.mobile) as mobile, '车主' as relation
      from car c
      left join room r on r.owner_id = ${ownerId} and r.project_code = c.project_code and r.code = c.room_code
      left join resident p on p.owner_id = ${ownerId} and p.id = c.user_id
      left join company f on f.owner_id = ${ownerId} and f.id = c.company_id
      where c.owner_id = ${ownerId}
        and c.project_code = ${projectCode}
        and c.id = ${parseId(code)}
        and ${notDeleted('c')}
    `,
  )

/** As the newest bill of the object names it. */
const findByBill = (
  db: Db,
  { ownerId, projectCode, type, code }: SourceKey,
): Promise<SourceSummary | undefined> =>
  db.one<SourceSummary>(
    sql`
      select b.source_name as name, b.build_code as building, b.payer_kind::int, b.payer_id, b.payer_name,
        b.payer_mobile as mobile
      from bill b
      where b.owner_id = ${ownerId}
        and b.project_code = ${projectCode}
        and b.source_type = ${codeLiteral(sourceType, type)}
        and b.source_code = ${code}
        and ${notDeleted('b')}
      order by b.id desc
      limit 1
    `,
  )

const findParkPlace = (
  db: Db,
  { ownerId, projectCode, code }: SourceKey,
): Promise<SourceSummary | undefined> =>
  db.one<SourceSummary>(
    sql`
      select place_no as name
      from park_place
      where owner_id = ${ownerId} and project_code = ${projectCode} and code = ${code} and ${notDeleted()}
    `,
  )

const findPublicArea = (
  db: Db,
  { ownerId, projectCode, code }: SourceKey,
): Promise<SourceSummary | undefined> =>
  db.one<SourceSummary>(
    sql`
      select name, build_code as building
      from public_area
      where owner_id = ${ownerId} and project_code = ${projectCode} and code = ${code} and ${notDeleted()}
    `,
  )

type FindSource = (db: Db, key: SourceKey) => Promise<SourceSummary | undefined>

/** Objects that have a payer of their own. */
const finders: Readonly<Partial<Record<SourceType, FindSource>>> = {
  room: findRoom,
  company: findCompany,
  car: findCar,
}

/** Objects that were never billed, and so are named by no bill. */
const unbilledFinders: Readonly<Partial<Record<SourceType, FindSource>>> = {
  parkPlace: findParkPlace,
  publicArea: findPublicArea,
}

export async function findSourceSummary(db: Db, key: SourceKey): Promise<SourceSummary | undefined> {
  const find = finders[key.type]
  if (find) return find(db, key)
  return (await findByBill(db, key)) ?? unbilledFinders[key.type]?.(db, key)
}
