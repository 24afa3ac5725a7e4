import { defined } from '#kit/domain/defined.ts'
import pg from 'pg'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { seedCompany } from './room-data.ts'

const surnames = [
  ...'王李张刘陈杨黄赵周吴徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢',
]

const givenNames = [
  ...'伟芳娜敏静丽强磊洋艳勇军杰娟涛明超秀霞平刚桂英华玉兰红建国志文晓梅淑珍海燕婷鹏辉宇欣怡子涵浩然梓轩诗雨思远佳慧博嘉宁雪',
]

/** The n-th name of the town: 60 surnames and 60 × 60 given names, each some five times among a million. */
export const nameOf = (n: number): string => {
  const g = Math.floor(n / surnames.length)
  return (
    surnames[n % surnames.length] +
    defined(givenNames[g % givenNames.length]) +
    (n % 3 ? givenNames[Math.floor(g / givenNames.length) % givenNames.length] : '')
  )
}

const nameCount = 180_000

/**
 * A company of so many estates of 20,000 rooms with a resident for each room, every second of them in another
 * room of the same estate too: 1 M and 1.5 M at 50 estates. Its owner signs in as `bench`.
 */
export async function seedTown(
  url: string,
  estates: number,
): Promise<Awaited<ReturnType<typeof seedCompany>>> {
  const scope = await seedCompany(url, estates, { withRooms: true })
  const c = new pg.Client(url)
  await c.connect()
  const run = (text: string, values: unknown[] = []): Promise<unknown> => c.query(text, values)
  await run(`select set_config('app.owner_id', '${scope.ownerId}', false)`)
  await run('create temp table named (n integer primary key, name text, search text)')
  const all = Array.from({ length: nameCount }, (_, i) => nameOf(i))
  await run('insert into named select * from unnest($1::int[], $2::text[], $3::text[])', [
    all.map((_, i) => i),
    all,
    all.map(x => buildSearchText([x])),
  ])
  // One pass over the words is quicker than a million walks into the index.
  await run('drop index resident_search')
  await run(`
    insert into resident (
      owner_id, home_project, name, mobile, gender, user_type, birthday, wechat_bind, app_bind, source,
      state, search_text
    )
    select ${scope.ownerId}, r.project_code, x.name, '1' || lpad((3000000000 + i * 7)::text, 10, '0'),
      1 + i % 2, 10, date '1950-01-01' + (i % 20000)::int, i % 3 = 0, false, 20, 10,
      x.search || ' 1' || lpad((3000000000 + i * 7)::text, 10, '0')
    from (select project_code, row_number() over (order by id) as i from room) r
    join named x on x.n = (r.i * 7919) % ${nameCount}
  `)
  await run('create index resident_search on resident using gin (search_text gin_trgm_ops)')
  await run(
    `create temp table person as select row_number() over (order by id) as i, id, home_project from resident`,
  )
  await run(
    `create temp table flat as select row_number() over (order by id) as i, id, project_code, build_code from room`,
  )
  await run(`
    insert into user_room (
      owner_id, project_code, user_id, room_id, build_code, relation, is_main, is_payer, in_date, status,
      apply_source
    )
    select ${scope.ownerId}, f.project_code, p.id, f.id, f.build_code, case when k.k = 0 then 10 else 20 end,
      k.k = 0, false, '2024-01-01', 20, 30
    from person p
    cross join (values (0), (1)) k(k)
    join flat f on f.i = ((p.i - 1) / 20000) * 20000 + 1 + (p.i - 1 + k.k * 137) % 20000
    where k.k = 0 or p.i % 2 = 0
  `)
  await run('drop table named, person, flat')
  for (const table of ['resident', 'user_room', 'room']) {
    await run(`vacuum analyze ${table}`)
  }
  await c.end()
  return scope
}
