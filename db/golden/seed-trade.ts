import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { padDigits } from '#kit/domain/day.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { company, companyRoom } from '#modules/companies/contract/company.ts'
import { companyWorker } from '#modules/companies/contract/company-worker.ts'
import type { Namer, Random } from './names.ts'
import { seedMerchants } from './seed-merchants.ts'
import type { Home } from './seed-residents.ts'

const companyNames = [
  '云帆信息技术',
  '启明教育咨询',
  '恒润会计服务',
  '博远律师',
  '青禾设计',
  '瑞达供应链',
  '众联广告传媒',
  '海川投资管理',
  '智汇软件',
  '安信保险代理',
  '新域生物科技',
  '天合建筑设计',
]

const formerCompanyNames = [
  '长江三角洲跨境电子商务与国际物流综合服务发展有限责任公司',
  '拾光文化传播',
  '北辰进出口贸易',
]

/** What the seeds of one estate share. */
export interface TradeSeed {
  readonly tx: Tx
  readonly scope: Scope
  readonly project: string
  readonly homes: readonly Home[]
  readonly random: Random
  readonly namer: Namer
}

interface SeededCompany {
  readonly name: string
  readonly contact: string
  readonly phone: string
}

const planCompanies = (officeCount: number, namer: Namer): SeededCompany[] =>
  Array.from(
    { length: Math.min(companyNames.length * 3, Math.max(1, Math.floor(officeCount / 3))) },
    (_, i) => ({
      name: `${['', '华东', '东方'][Math.floor(i / companyNames.length)] ?? ''}${companyNames[i % companyNames.length]}${i % 2 ? '有限公司' : '股份有限公司'}`,
      contact: namer.name(),
      phone: namer.mobile(),
    }),
  )

/** Companies that rent offices now. Returns their ids. */
async function seedCurrentCompanies(
  { tx, scope, project, random }: TradeSeed,
  companies: readonly SeededCompany[],
): Promise<Id[]> {
  const ids = await insertAll(
    tx,
    company,
    scope,
    companies.map((c, i) => ({
      projectCode: project,
      companyNo: `GS${project.slice(0, 2)}${String(i + 1).padStart(4, '0')}`,
      name: c.name,
      contactName: c.contact,
      contactPhone: c.phone,
      industry: ['信息技术', '教育', '咨询', '传媒'][i % 4],
      staffCount: 8 + random(90),
      inDate: '2024-03-01',
      state: 'here',
    })),
  )
  await tx.execute(
    sql`
      update company t
      set search_text = x.search
      from unnest(
        ${ids}::bigint[], ${companies.map(c => buildSearchText([c.name, c.contact], [c.phone]))}::text[]
      ) as x(id, search)
      where t.owner_id = ${scope.ownerId} and t.id = x.id
    `,
  )
  return ids
}

async function rentOffices(
  { tx, scope, project }: TradeSeed,
  offices: readonly Home[],
  ids: readonly Id[],
): Promise<void> {
  const places = offices.map((h, i) => ({
    projectCode: project,
    companyId: defined(ids[i % ids.length]),
    roomId: h.id,
    buildCode: h.buildCode,
    beginDate: h.checkinDate ?? '2024-03-01',
    area: h.area,
    usage: '办公',
  }))
  await insertAll(tx, companyRoom, scope, places)
  await tx.execute(
    sql`
      update room t
      set company_id = c.company_id, company_name = o.name
      from company_room c
      join company o on o.owner_id = ${scope.ownerId} and o.id = c.company_id
      where c.owner_id = ${scope.ownerId}
        and t.owner_id = ${scope.ownerId}
        and t.id = c.room_id
        and c.project_code = ${project}
    `,
  )
}

/** Workers of each company; some who scanned the QR code wait for an audit. */
async function seedWorkers(
  { tx, scope, project, namer }: TradeSeed,
  companies: readonly SeededCompany[],
  ids: readonly Id[],
): Promise<void> {
  await insertAll(
    tx,
    companyWorker,
    scope,
    ids.flatMap((companyId, i) =>
      [0, 1, 2].map(k => ({
        projectCode: project,
        companyId,
        name: k ? namer.name() : defined(companies[i]).contact,
        mobile: k ? namer.mobile() : defined(companies[i]).phone,
        position: ['行政经理', '工程师', '会计'][k],
        isAdmin: k === 0,
        inDate: '2025-03-01',
        state: 'active',
      })),
    ),
  )
  await insertAll(
    tx,
    companyWorker,
    scope,
    ids
      .filter((_, i) => i % 4 === 1)
      .map((companyId, i) => ({
        projectCode: project,
        companyId,
        name: namer.name(),
        mobile: namer.mobile(),
        position: ['前台', '销售', '设计师'][i % 3],
        isAdmin: false,
        state: 'pending',
      })),
  )
}

/** Companies that have left their offices, which are empty now. */
async function seedFormerCompanies({ tx, scope, project, homes, namer }: TradeSeed): Promise<void> {
  const emptyOffices = homes.filter(h => h.roomType === 3 && h.roomState === 30).slice(0, 6)
  const ids = emptyOffices.length
    ? await insertAll(
        tx,
        company,
        scope,
        formerCompanyNames.slice(0, Math.ceil(emptyOffices.length / 2)).map((name, i) => ({
          projectCode: project,
          companyNo: `GS${project.slice(0, 2)}9${String(i + 1).padStart(3, '0')}`,
          name,
          industry: ['贸易', '文化创意'][i % 2],
          inDate: '2023-04-01',
          outDate: `2025-${padDigits(6 + i)}-30`,
          state: 'movedOut',
        })),
      )
    : []
  await tx.execute(
    sql`
      update company
      set search_code = null, search_text = x.search
      from unnest(
        ${ids}::bigint[], ${formerCompanyNames.slice(0, ids.length).map(n => buildSearchText([n], []))}::text[]
      ) as x(id, search)
      where owner_id = ${scope.ownerId} and company.id = x.id
    `,
  )
  await insertAll(
    tx,
    companyRoom,
    scope,
    emptyOffices.map((h, i) => ({
      projectCode: project,
      companyId: defined(ids[i % ids.length]),
      roomId: h.id,
      buildCode: h.buildCode,
      beginDate: '2023-04-01',
      endDate: `2025-${padDigits(6 + (i % ids.length))}-30`,
      area: h.area,
      usage: '办公',
    })),
  )
  await insertAll(
    tx,
    companyWorker,
    scope,
    ids.map(companyId => ({
      projectCode: project,
      companyId,
      name: namer.name(),
      mobile: namer.mobile(),
      position: '负责人',
      isAdmin: false,
      inDate: '2023-04-01',
      outDate: '2025-06-30',
      state: 'left',
    })),
  )
}

async function saveWorkerSearchTexts({ tx, scope, project }: TradeSeed): Promise<void> {
  const people = await tx.rows<{ id: Id; name: string; mobile?: string }>(
    sql`
      select id, name, mobile
      from company_worker
      where owner_id = ${scope.ownerId} and project_code = ${project}
    `,
  )
  await tx.execute(
    sql`
      update company_worker t
      set search_text = x.search
      from unnest(
        ${people.map(p => p.id)}::bigint[], ${people.map(p => buildSearchText([p.name], [p.mobile]))}::text[]
      ) as x(id, search)
      where t.owner_id = ${scope.ownerId} and t.id = x.id
    `,
  )
}

/** Companies in the let offices. */
async function seedCompanies(seed: TradeSeed): Promise<void> {
  const offices = seed.homes.filter(home => home.roomType === 3 && home.roomState === 50)
  if (!offices.length) return
  const companies = planCompanies(offices.length, seed.namer)
  const ids = await seedCurrentCompanies(seed, companies)
  await rentOffices(seed, offices, ids)
  await seedWorkers(seed, companies, ids)
  await seedFormerCompanies(seed)
  await saveWorkerSearchTexts(seed)
}

/** Companies in the let offices, merchants in the let shops. */
export async function seedTrade(
  tx: Tx,
  scope: Scope,
  homes: readonly Home[],
  random: Random,
  namer: Namer,
): Promise<void> {
  const seed = { tx, scope, project: defined(homes[0]).projectCode, homes, random, namer }
  await seedCompanies(seed)
  await seedMerchants(seed)
}
