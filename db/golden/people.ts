import { addDays, addMonths, dayOf, firstOfMonth, padDigits, type Day } from '#kit/domain/day.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { computeCheckDigit } from '#kit/contract/id-card.ts'
import { company, companyRoom } from '#modules/companies/contract/company.ts'
import { companyWorker } from '#modules/companies/contract/company-worker.ts'
import { merchant, merchantStaff } from '#modules/merchants/contract/merchant.ts'
import { residentBlock } from '#modules/residents/contract/block.ts'
import { faceKey, identityCard } from '#modules/residents/contract/card.ts'
import { residency, residencyLog, type ResidencyLog } from '#modules/residents/contract/residency.ts'
import { resident } from '#modules/residents/contract/resident.ts'
import { relation } from '#modules/residents/contract/labels.ts'
import { department } from '#modules/staff/contract/department.ts'
import { staff } from '#modules/staff/contract/staff.ts'
import { staffTag } from '#modules/staff/contract/tag.ts'
import { analyzeTables } from './analyze.ts'
import { seededRandom } from './seed-estate.ts'

const surnames =
  '王李张刘陈杨黄赵周吴徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万钱覃武戴孔向汤'

const givenNames =
  '伟芳娜敏静丽强磊洋艳勇军杰娟涛明超秀霞平刚桂英华玉兰红建国志文晓梅淑珍海燕婷鹏辉宇欣怡子涵浩然梓轩诗雨思远佳慧博嘉宁雪'

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

const shopNames = [
  '老灶火锅',
  '晨光文具',
  '康美药房',
  '鲜果时光',
  '丽人美发',
  '小满咖啡',
  '邻里便利店',
  '童趣绘本馆',
  '好味快餐',
  '洁净干洗',
  '宠爱宠物',
  '悦动健身',
  '绿源生鲜',
  '宏图眼镜',
  '丰巢驿站',
  '佳禾面包',
]

interface Home {
  id: number
  code: string
  projectCode: string
  buildCode: string
  path: string
  roomType: number
  roomState: number
  checkinDate?: Day
  deliverDate?: Day
  area: string
}

/** How people are named in this company: the same on every machine, no telephone twice. */
function createNamer(roll: (n: number) => number, prefix: string) {
  let n = 0
  const one = (all: string): string => [...all][roll([...all].length)]!
  return {
    name: (surname = one(surnames)): string => surname + one(givenNames) + (roll(3) ? one(givenNames) : ''),
    mobile: (): string => `${prefix}${String((++n * 7919) % 100_000_000).padStart(8, '0')}`,
    card: (birthday: string, male: boolean): string => {
      const d = `320506${birthday.replaceAll('-', '')}${String(roll(99)).padStart(2, '0')}${male ? 1 : 2}`
      return d + computeCheckDigit(d)
    },
  }
}

const randomDay = (roll: (n: number) => number, from: number, to: number): Day =>
  dayOf(from + roll(to - from + 1), 1 + roll(12), 1 + roll(28))

type Person = Record<string, unknown> & { name: string }

interface Occupation {
  readonly home: Home
  readonly who: number
  readonly relation: keyof typeof relation.rows
  readonly isMain?: boolean
  readonly isPayer?: boolean
  readonly inDate?: Day
  readonly leaseBegin?: Day
  readonly leaseEnd?: Day
  readonly status?: 'living' | 'pending' | 'left'
  readonly outDate?: Day
}

/**
 * People for the homes of an estate: families where somebody lives, owners and tenants where it is let,
 * owners of most empty ones.
 */
function planOccupants(
  homes: readonly Home[],
  roll: (n: number) => number,
  say: ReturnType<typeof createNamer>,
): { people: Person[]; stays: Occupation[] } {
  const people: Person[] = []
  const stays: Occupation[] = []
  const add = (home: Home, adult: boolean, surname?: string): number => {
    const male = roll(2) === 0
    const birthday = adult ? randomDay(roll, 1952, 2002) : randomDay(roll, 2008, 2024)
    return (
      people.push({
        homeProject: home.projectCode,
        name: say.name(surname),
        gender: male ? 'male' : 'female',
        userType: 'person',
        birthday,
        source: roll(5) ? 'import' : 'desk',
        state: 'normal',
        appBind: false,
        wechatBind: adult && roll(10) < 6,
        ...(adult
          ? {
              mobile: say.mobile(),
              ...(roll(3) ? { certType: 'idCard', certNo: say.card(birthday, male) } : {}),
            }
          : {}),
      }) - 1
    )
  }
  const family = (home: Home, head: number, rel: 'family' | 'tenantFamily', inDate: Day): void => {
    const first = [...people[head]!.name][0]
    if (roll(4)) {
      stays.push({ home, who: add(home, true), relation: rel, inDate })
    }
    for (let k = roll(3); k > 0; k--) {
      stays.push({ home, who: add(home, false, first), relation: rel, inDate })
    }
  }
  for (const [i, home] of homes.entries()) {
    const state = home.roomState
    const since = home.checkinDate ?? home.deliverDate ?? '2024-06-01'
    if (state === 10 || (state === 30 && roll(10) < 3)) continue
    const lives = state === 40
    const head = add(home, true)
    stays.push({ home, who: head, relation: 'owner', isMain: true, ...(lives ? { inDate: since } : {}) })
    if (lives) {
      family(home, head, 'family', since)
    }
    if (state === 50) {
      const begin = firstOfMonth(randomDay(roll, 2025, 2026))
      const from = begin > '2026-11-01' ? '2026-05-01' : begin
      const tenant = add(home, true)
      stays.push({
        home,
        who: tenant,
        relation: 'tenant',
        isPayer: roll(2) === 0,
        inDate: from,
        leaseBegin: from,
        leaseEnd:
          addDays(addMonths(from, 12), -1) < '2026-11-21'
            ? addDays(addMonths(from, 24), -1)
            : addDays(addMonths(from, 12), -1),
      })
      family(home, tenant, 'tenantFamily', from)
      if (i % 3 === 0) {
        stays.push({
          home,
          who: add(home, true),
          relation: 'tenant',
          inDate: '2023-04-01',
          outDate: '2024-03-31',
          leaseBegin: '2023-04-01',
          leaseEnd: '2024-03-31',
          status: 'left',
        })
      }
    }
    if (lives && i % 29 === 4) {
      stays.push({
        home,
        who: add(home, true),
        relation: 'tenant',
        status: 'pending',
        leaseBegin: '2026-12-01',
        leaseEnd: '2027-11-30',
      })
    }
  }
  return { people, stays }
}

/** Residents of an estate with their homes and history, some cards, faces and a block. */
async function seedResidents(
  tx: Tx,
  who: Scope,
  homes: readonly Home[],
  roll: (n: number) => number,
  say: ReturnType<typeof createNamer>,
): Promise<void> {
  const { people, stays } = planOccupants(
    homes.filter(h => [1, 2, 6].includes(h.roomType)),
    roll,
    say,
  )
  if (!people.length) return
  const ids = await insertAll(tx, resident, who, people)
  await tx.execute(
    sql`
      update resident t
      set search_text = x.search,
        run_wechat = case when t.wechat_bind then 'o' || left(md5(t.owner_id || '/' || t.id), 27) end,
        run_wechat_time = case when t.wechat_bind then now() - interval '90 days' end
      from unnest(
        ${ids}::bigint[],
        ${people.map(p => buildSearchText([p.name], [p.mobile as string | undefined]))}::text[]
      ) as x(id, search)
      where t.owner_id = ${who.ownerId} and t.id = x.id
    `,
  )
  const rows = stays.map(({ home, who: i, status = 'living', ...s }) => ({
    projectCode: home.projectCode,
    roomId: home.id,
    buildCode: home.buildCode,
    userId: ids[i]!,
    isMain: false,
    isPayer: false,
    applySource: status === 'pending' ? ('self' as const) : ('import' as const),
    status,
    ...s,
  }))
  const links = await insertAll(tx, residency, who, rows)
  await insertAll(
    tx,
    residencyLog,
    who,
    rows.flatMap((r, k) => {
      const of = {
        projectCode: r.projectCode,
        linkId: links[k],
        userId: r.userId,
        userName: people[stays[k]!.who]!.name,
        roomId: r.roomId,
        buildCode: r.buildCode,
        relation: r.relation,
        operatorName: who.name,
      }
      const came: Pick<ResidencyLog, 'action' | 'day'> =
        r.status === 'pending'
          ? { action: 'applied', day: '2026-11-19' }
          : { action: r.inDate ? 'movedIn' : 'added', day: r.inDate ?? '2024-06-01' }
      return [
        { ...of, ...came },
        ...(r.outDate ? [{ ...of, action: 'movedOut' as const, day: r.outDate }] : []),
      ]
    }),
  )
  await analyzeTables(tx, 'room', 'resident', 'user_room')
  await tx.execute(sql`
    update room t
    set main_owner_id = m.user_id,
      main_owner_name = mp.name,
      payer_id = coalesce(y.user_id, m.user_id),
      payer_name = coalesce(yp.name, mp.name),
      payer_kind = case when y.relation in (30, 40) then 20 else 10 end,
      people = (
        select count(*)
        from user_room o
        where o.owner_id = t.owner_id
          and o.room_id = t.id
          and o.status = 20
          and o.in_date is not null
          and o.delete_tag = 0
      )
    from user_room m
    join resident mp on mp.owner_id = m.owner_id and mp.id = m.user_id
    left join user_room y on y.owner_id = m.owner_id
      and y.room_id = m.room_id
      and y.is_payer
      and y.status = 20
      and y.delete_tag = 0
    left join resident yp on yp.owner_id = y.owner_id and yp.id = y.user_id
    where m.owner_id = ${who.ownerId}
      and m.owner_id = t.owner_id
      and m.room_id = t.id
      and m.is_main
      and m.status = 20
      and m.delete_tag = 0
      and t.id = any(${homes.map(h => h.id)})
  `)
  const carded = rows.filter(
    (r, k) => r.status === 'living' && r.inDate && people[stays[k]!.who]!.mobile && k % 3 === 0,
  )
  await insertAll(
    tx,
    identityCard,
    who,
    carded.map((r, k) => ({
      projectCode: r.projectCode,
      cardNo: String(10_000_000 + r.roomId * 10 + (k % 10)),
      cardType: k % 5 ? 'ic' : 'cpu',
      userId: r.userId,
      roomId: r.roomId,
      buildCode: r.buildCode,
      beginDate: r.inDate,
      state: k % 37 === 5 ? 'lost' : 'normal',
    })),
  )
  await insertAll(
    tx,
    faceKey,
    who,
    carded
      .filter((_, k) => k % 4 === 0)
      .slice(0, 40)
      .map((r, k) => ({
        projectCode: r.projectCode,
        userId: r.userId,
        face: '0'.repeat(40),
        state: k % 9 === 3 ? 'waiting' : 'good',
        quality: 80 + (k % 20),
      })),
  )
  const blocked = rows.find((r, k) => r.status === 'left' && people[stays[k]!.who]!.mobile) ?? rows[0]!
  await insertAll(tx, residentBlock, who, [
    {
      projectCode: blocked.projectCode,
      userId: blocked.userId,
      name: people[ids.indexOf(blocked.userId)]!.name,
      scope: ['visit', 'door'],
      reason: '多次高空抛物，经劝阻不改',
      expireDate: '2027-06-30',
    },
  ])
}

/** Firms in the let offices, traders in the let shops. */
async function seedTrade(
  tx: Tx,
  who: Scope,
  homes: readonly Home[],
  roll: (n: number) => number,
  say: ReturnType<typeof createNamer>,
): Promise<void> {
  const offices = homes.filter(h => h.roomType === 3 && h.roomState === 50)
  const stalls = homes.filter(h => h.roomType === 4 && h.roomState === 50)
  const project = homes[0]!.projectCode
  const kept = offices.length
    ? Array.from(
        { length: Math.min(companyNames.length * 3, Math.max(1, Math.floor(offices.length / 3))) },
        (_, i) => ({
          name: `${['', '华东', '东方'][Math.floor(i / companyNames.length)] ?? ''}${companyNames[i % companyNames.length]}${i % 2 ? '有限公司' : '股份有限公司'}`,
          contact: say.name(),
          phone: say.mobile(),
        }),
      )
    : []
  if (kept.length) {
    const ids = await insertAll(
      tx,
      company,
      who,
      kept.map((f, i) => ({
        projectCode: project,
        companyNo: `GS${project.slice(0, 2)}${String(i + 1).padStart(4, '0')}`,
        name: f.name,
        contactName: f.contact,
        contactPhone: f.phone,
        industry: ['信息技术', '教育', '咨询', '传媒'][i % 4],
        staffCount: 8 + roll(90),
        inDate: '2024-03-01',
        state: 'here',
      })),
    )
    await tx.execute(
      sql`
        update company t
        set search_text = x.search
        from unnest(
          ${ids}::bigint[], ${kept.map(f => buildSearchText([f.name, f.contact], [f.phone]))}::text[]
        ) as x(id, search)
        where t.owner_id = ${who.ownerId} and t.id = x.id
      `,
    )
    const places = offices.map((h, i) => ({
      projectCode: project,
      companyId: ids[i % ids.length]!,
      roomId: h.id,
      buildCode: h.buildCode,
      beginDate: h.checkinDate ?? '2024-03-01',
      area: h.area,
      usage: '办公',
    }))
    await insertAll(tx, companyRoom, who, places)
    await tx.execute(
      sql`
        update room t
        set company_id = c.company_id, company_name = o.name
        from company_room c
        join company o on o.owner_id = c.owner_id and o.id = c.company_id
        where c.owner_id = ${who.ownerId}
          and t.owner_id = c.owner_id
          and t.id = c.room_id
          and c.project_code = ${project}
      `,
    )
    await insertAll(
      tx,
      companyWorker,
      who,
      ids.flatMap((companyId, i) =>
        [0, 1, 2].map(k => ({
          projectCode: project,
          companyId,
          name: k ? say.name() : kept[i]!.contact,
          mobile: k ? say.mobile() : kept[i]!.phone,
          position: ['行政经理', '工程师', '会计'][k],
          isAdmin: k === 0,
          inDate: '2025-03-01',
          state: 'active',
        })),
      ),
    )
    // Some who scanned the picture wait for audit; some companies have left empty offices behind.
    await insertAll(
      tx,
      companyWorker,
      who,
      ids
        .filter((_, i) => i % 4 === 1)
        .map((companyId, i) => ({
          projectCode: project,
          companyId,
          name: say.name(),
          mobile: say.mobile(),
          position: ['前台', '销售', '设计师'][i % 3],
          isAdmin: false,
          state: 'pending',
        })),
    )
    const left = homes.filter(h => h.roomType === 3 && h.roomState === 30).slice(0, 6)
    const gone = left.length
      ? await insertAll(
          tx,
          company,
          who,
          formerCompanyNames.slice(0, Math.ceil(left.length / 2)).map((name, i) => ({
            projectCode: project,
            companyNo: `GS${project.slice(0, 2)}9${String(i + 1).padStart(3, '0')}`,
            name,
            industry: ['贸易', '文化创意'][i % 2],
            inDate: '2023-04-01',
            outDate: `2025-${padDigits(6 + i)}-30`,
            state: 'gone',
          })),
        )
      : []
    await tx.execute(
      sql`
        update company
        set search_code = null, search_text = x.search
        from unnest(
          ${gone}::bigint[], ${formerCompanyNames.slice(0, gone.length).map(n => buildSearchText([n], []))}::text[]
        ) as x(id, search)
        where owner_id = ${who.ownerId} and company.id = x.id
      `,
    )
    await insertAll(
      tx,
      companyRoom,
      who,
      left.map((h, i) => ({
        projectCode: project,
        companyId: gone[i % gone.length]!,
        roomId: h.id,
        buildCode: h.buildCode,
        beginDate: '2023-04-01',
        endDate: `2025-${padDigits(6 + (i % gone.length))}-30`,
        area: h.area,
        usage: '办公',
      })),
    )
    await insertAll(
      tx,
      companyWorker,
      who,
      gone.map(companyId => ({
        projectCode: project,
        companyId,
        name: say.name(),
        mobile: say.mobile(),
        position: '负责人',
        isAdmin: false,
        inDate: '2023-04-01',
        outDate: '2025-06-30',
        state: 'left',
      })),
    )
    const people = await tx.rows<{ id: number; name: string; mobile?: string }>(
      sql`
        select id, name, mobile
        from company_worker
        where owner_id = ${who.ownerId} and project_code = ${project}
      `,
    )
    await tx.execute(
      sql`
        update company_worker t
        set search_text = x.search
        from unnest(
          ${people.map(p => p.id)}::bigint[], ${people.map(p => buildSearchText([p.name], [p.mobile]))}::text[]
        ) as x(id, search)
        where t.owner_id = ${who.ownerId} and t.id = x.id
      `,
    )
  }
  if (!stalls.length) return
  const traders = stalls.map((h, i) => ({
    h,
    name: `${shopNames[i % shopNames.length]}${i >= shopNames.length ? `（${h.path}）` : ''}`,
    contact: say.name(),
    phone: say.mobile(),
  }))
  const ids = await insertAll(
    tx,
    merchant,
    who,
    traders.map((m, i) => ({
      projectCode: project,
      merchantNo: `SH${project.slice(0, 2)}${String(i + 1).padStart(4, '0')}`,
      name: m.name,
      roomId: m.h.id,
      buildCode: m.h.buildCode,
      category: ['餐饮', '零售', '服务', '教育'][i % 4],
      contactName: m.contact,
      contactPhone: m.phone,
      creditLimit: (1 + roll(10)) * 100_000,
      balance: 0,
      state: i % 17 === 9 ? 'shut' : 'open',
    })),
  )
  await tx.execute(
    sql`
      update merchant t
      set search_text = x.search
      from unnest(
        ${ids}::bigint[], ${traders.map(m => buildSearchText([m.name, m.contact], [m.phone]))}::text[]
      ) as x(id, search)
      where t.owner_id = ${who.ownerId} and t.id = x.id
    `,
  )
  await insertAll(
    tx,
    merchantStaff,
    who,
    ids.map((merchantId, i) => ({
      projectCode: project,
      merchantId,
      name: traders[i]!.contact,
      mobile: traders[i]!.phone,
      roleType: 'head',
      state: 'on',
    })),
  )
}

const departmentTree: Readonly<Record<string, readonly (readonly [string, readonly string[]])[]>> = {
  物业服务中心: [
    ['客户服务部', ['客服主管', '客服管家', '前台']],
    ['工程维修部', ['工程主管', '电工', '水暖工', '电梯安全员']],
    ['秩序维护部', ['队长', '保安', '监控员']],
    ['环境管理部', ['保洁主管', '保洁员', '绿化工']],
  ],
  职能部门: [
    ['财务部', ['会计', '出纳', '收费员']],
    ['人事行政部', ['人事专员', '行政专员']],
  ],
}

/** Departments and the people of the company. */
export async function seedStaff(tx: Tx, who: Scope, seed: number, each: number): Promise<void> {
  const roll = seededRandom(seed)
  const say = createNamer(roll, '158')
  const tops = await insertAll(
    tx,
    department,
    who,
    Object.keys(departmentTree).map((name, i) => ({ name, sort: i + 1 })),
  )
  const parts = Object.values(departmentTree).flatMap((under, i) =>
    under.map(([name, jobs], k) => ({ name, jobs, parentId: tops[i]!, sort: k + 1 })),
  )
  const ids = await insertAll(
    tx,
    department,
    who,
    parts.map(({ name, parentId, sort }) => ({ name, parentId, sort })),
  )
  const all = parts.flatMap((p, i) =>
    p.jobs.flatMap((position, k) =>
      Array.from({ length: k ? each : 1 }, () => ({
        name: say.name(),
        mobile: say.mobile(),
        gender: roll(2) ? ('male' as const) : ('female' as const),
        departmentId: ids[i]!,
        position,
        entryDate: randomDay(roll, 2018, 2025),
        state: roll(15) ? ('active' as const) : ('trial' as const),
        isTicketSeller: position === '收费员',
        ...(position.includes('主管') ? { tags: ['骨干'] } : {}),
      })),
    ),
  )
  const numbered = all.map((s, i) => ({ ...s, staffNo: `Y${String(i + 1).padStart(4, '0')}` }))
  const made = await insertAll(tx, staff, who, numbered)
  await tx.execute(
    sql`
      update staff t
      set search_text = x.search
      from unnest(
        ${made}::bigint[],
        ${numbered.map(s => buildSearchText([s.name], [s.staffNo.toLowerCase(), s.mobile]))}::text[]
      ) as x(id, search)
      where t.owner_id = ${who.ownerId} and t.id = x.id
    `,
  )
  await tx.execute(
    sql`
      update department d
      set leader_id = (
        select min(s.id) from staff s where s.owner_id = d.owner_id and s.department_id = d.id
      )
      where d.owner_id = ${who.ownerId}
    `,
  )
  await insertAll(tx, staffTag, who, [
    { name: '骨干', color: 'blue', sort: 1 },
    { name: '党员', color: 'red', sort: 2 },
    { name: '新员工', color: 'green', sort: 3 },
  ])
}

/** Everyone of an estate: who lives, works and trades in its rooms. */
export async function seedPeople(tx: Tx, who: Scope, project: string, seed: number): Promise<void> {
  const homes = await tx.rows<Home>(
    sql`
      select id, code, project_code, build_code, path, room_type, room_state, checkin_date, deliver_date,
        trim_scale(build_area)::text as area
      from room
      where owner_id = ${who.ownerId} and project_code = ${project} and delete_tag = 0
      order by sort_key, id
    `,
  )
  if (!homes.length) return
  const roll = seededRandom(seed)
  const say = createNamer(roll, `15${seed % 8}`)
  await seedResidents(tx, who, homes, roll, say)
  await seedTrade(tx, who, homes, roll, say)
}
