import { codeOf, labelOf, keyOf } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { mask } from '#kit/server/privacy.ts'
import { assertInDomain, tenantFilter } from '#kit/server/table.ts'
import { live, code } from '#kit/server/sql.ts'
import { sourceType, payerSide } from '#modules/fees/contract/choices.ts'
import { relation, residencyStatus } from '#modules/residents/contract/labels.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { bill } from '../contract/bill.ts'
import { getFeeTarget } from '../contract/list.ts'

type TargetKind = 'resident' | 'company'

interface FeeTarget {
  readonly kind: TargetKind
  readonly id: number
  readonly name: string
  readonly mobile?: string | undefined
  readonly role?: string | undefined
}

export const feeTargetHandlers = [
  reads(getFeeTarget, async ({ projectCode, sourceType: type, sourceCode }, { db, scope }) => {
    const project = projectCode ?? (scope.projectCode || undefined)
    // A room knows its people and its company; any other object, those who were asked for it before.
    const roomRow =
      type === 'room'
        ? await db.one<{
            id: number
            path: string
            projectCode: string
            buildCode: string
            payerId?: number
            payerKind?: number
            companyId?: number
          }>(
            sql`
              select t.id, t.path, t.project_code, t.build_code, t.payer_id, t.payer_kind, t.company_id
              from room t
              where ${tenantFilter(room, scope, project)} and t.code = ${sourceCode}
            `,
          )
        : undefined
    const pastPayers = await db.rows<{
      kind: number
      id: number
      name: string
      mobile?: string
      sourceName: string
      projectCode: string
      buildCode?: string
    }>(sql`
      select distinct on (t.payer_kind, t.payer_id) coalesce(t.payer_kind, 0) as kind,
        coalesce(t.payer_id, 0) as id, coalesce(t.payer_name, '') as name, t.payer_mobile as mobile,
        t.source_name, t.project_code, t.build_code
      from bill t
      where ${tenantFilter(bill, scope, project)}
        and t.source_type = ${codeOf(sourceType, type)}
        and t.source_code = ${sourceCode}
      order by t.payer_kind, t.payer_id, t.id desc
      limit 50
    `)
    if (!roomRow && !pastPayers.length) throw notFound()
    const people = roomRow
      ? await db.rows<{
          id: number
          name: string
          mobile?: string
          relation: number
          isPayer: boolean
          isMain: boolean
        }>(sql`
          select u.id, u.name, u.mobile, l.relation, l.is_payer, l.is_main
          from user_room l
          join resident u on u.owner_id = ${scope.ownerId} and u.id = l.user_id and ${live('u')}
          where l.owner_id = ${scope.ownerId}
            and l.room_id = ${roomRow.id}
            and ${live('l')}
            and l.status = ${code(residencyStatus, 'living')}
          order by l.is_payer desc, l.is_main desc, l.id
        `)
      : []
    const companies = roomRow?.companyId
      ? await db.rows<{ id: number; name: string; mobile?: string }>(
          sql`
            select id, name, contact_phone as mobile
            from company
            where owner_id = ${scope.ownerId} and id = ${roomRow.companyId} and ${live()}
          `,
        )
      : []
    const candidates: FeeTarget[] = [
      ...people.map((p): FeeTarget => ({
        kind: 'resident',
        id: p.id,
        name: p.name,
        mobile: p.mobile,
        role: [
          labelOf(relation, keyOf(relation, p.relation) ?? ''),
          p.isMain ? '主业主' : '',
          p.isPayer ? '缴费人' : '',
        ]
          .filter(Boolean)
          .join(' · '),
      })),
      ...companies.map((c): FeeTarget => ({ kind: 'company', ...c, role: '使用企业' })),
      ...pastPayers
        .filter(p => p.id > 0)
        .map((p): FeeTarget => ({
          kind: p.kind === codeOf(payerSide, 'company') ? 'company' : 'resident',
          id: p.id,
          name: p.name,
          mobile: p.mobile,
          role: '缴过或欠过费',
        })),
    ]
    const seen = new Set<string>()
    const payers = candidates.filter(p => {
      const k = `${p.kind}/${p.id}`
      return !seen.has(k) && seen.add(k)
    })
    const location = roomRow
      ? { sourceName: roomRow.path, projectCode: roomRow.projectCode, buildCode: roomRow.buildCode }
      : {
          sourceName: pastPayers[0]!.sourceName,
          projectCode: pastPayers[0]!.projectCode,
          ...(pastPayers[0]!.buildCode ? { buildCode: pastPayers[0]!.buildCode } : {}),
        }
    assertInDomain(bill, scope, location)
    return mask(
      getFeeTarget.output.fields,
      { sourceType: type, sourceCode, ...location, payers },
      scope,
    ) as never
  }),
]
