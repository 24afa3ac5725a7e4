import pg from 'pg'
import type { Id } from '#kit/domain/id.ts'
import { openDatabase } from '#kit/server/db.ts'
import { createCompany } from '#modules/accounts/server/public.ts'
import { ownerScope } from '#db/golden/seed-estate.ts'
import type { Scope } from '#kit/server/scope.ts'

/**
 * A company of estates full of rooms: 50 buildings of 2 units, 25 floors and 8 rooms a floor in each estate,
 * 20,000 rooms.
 */
export const roomsPerEstate = 20_000
export const estateCode = (n: number): string => `P${String(n).padStart(7, '0')}`

/**
 * Makes a company with its estates and buildings; rooms too where asked. Its owner signs in as `bench` with
 * `Anju2026`.
 */
export async function seedCompany(
  url: string,
  estates: number,
  { withRooms }: { readonly withRooms: boolean },
): Promise<Scope> {
  const database = openDatabase(url, { pool: 1, bulk: 1 })
  const { ownerId, operatorId } = await database.tx('*', tx =>
    createCompany(tx, {
      companyName: '基准物业',
      loginCode: 'bench',
      password: 'Anju2026',
      realName: '基准',
    }),
  )
  await database.close()
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`select set_config('app.owner_id', '${ownerId}', false)`)
  await insertEstates(client, ownerId, estates)
  if (withRooms) {
    await insertRooms(client, ownerId, estates)
  }
  for (const table of ['estate', 'building', 'unit', 'room']) {
    await client.query(`vacuum analyze ${table}`)
  }
  await client.end()
  return ownerScope(ownerId, operatorId, '基准')
}

/** The codes of an estate and a building, from their numbers `p` and `b`. */
const estateCodeSql = `'P' || lpad(p::text, 7, '0')`
const buildingCodeSql = `'B' || lpad(b::text, 3, '0')`

async function insertEstates(client: pg.Client, ownerId: Id, estates: number): Promise<void> {
  await client.query(
    `
      insert into estate (owner_id, project_code, name, project_type, state)
      select ${ownerId}, ${estateCodeSql}, '项目' || p, 10, 10
      from generate_series(1, ${estates}) p
    `,
  )
  await client.query(
    `
      insert into building (owner_id, project_code, code, name, units, unit_type, floors)
      select ${ownerId}, ${estateCodeSql}, ${buildingCodeSql}, b || '栋', 2, 0, '{25}'
      from generate_series(1, ${estates}) p, generate_series(1, 50) b
    `,
  )
  await client.query(
    `
      insert into unit (owner_id, project_code, build_code, code, name, floor_count, sort)
      select ${ownerId}, ${estateCodeSql}, ${buildingCodeSql}, 'U' || b || 'x' || u, u::text, 25, u
      from generate_series(1, ${estates}) p, generate_series(1, 50) b, generate_series(1, 2) u
    `,
  )
}

async function insertRooms(client: pg.Client, ownerId: Id, estates: number): Promise<void> {
  await client.query(`
    insert into room (
      owner_id, project_code, code, path, build_code, unit_name, floor_num, room_no, room_type,
      build_area, inner_area, share_area, charge_area, fee_ratio, layout, orientation, room_state,
      use_type, deliver_date, state, sort_key
    )
    select ${ownerId}, ${estateCodeSql}, 'R' || lpad((b * 10000 + u * 1000 + f * 10 + n)::text, 7, '0'),
      b || '-' || u || '-' || f || lpad(n::text, 2, '0'), ${buildingCodeSql}, u::text, f, f || lpad(n::text, 2, '0'),
      1 + n % 4, 80 + n, 70 + n, 10, 80 + n, 1, '3室2厅', '南',
      (array[10, 20, 30, 40, 40, 40, 50])[1 + (f * n) % 7], 10, '2021-06-18', 10,
      lpad(b::text, 6, '0') || ' ' || lpad(u::text, 6, '0') || ' ' || lpad((f + 1000)::text, 4, '0') || ' ' || lpad(f || lpad(n::text, 2, '0'), 6, '0')
    from generate_series(1, ${estates}) p, generate_series(1, 50) b, generate_series(1, 2) u,
      generate_series(1, 25) f, generate_series(1, 8) n
  `)
}
