import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { createCompany } from '#modules/accounts/server/public.ts'
import { newIdentity, type AgentIdentity } from '#modules/devices/server/fixtures/agent-client.ts'

export interface BenchGateway {
  readonly id: Id
  readonly identity: AgentIdentity
  readonly deviceIds: readonly Id[]
}

export interface BenchSites {
  readonly ownerId: Id
  readonly gateways: readonly BenchGateway[]
}

const projectCode = 'BENCH0001'

async function registerKeys(
  tx: Tx,
  ownerId: Id,
  ids: readonly Id[],
  identities: readonly AgentIdentity[],
): Promise<void> {
  const keyIds = identities.map(({ keyId }) => keyId)
  await tx.execute(sql`
    insert into gateway_key (owner_id, gateway_id, key_id, public_key)
    select ${ownerId}::bigint, r.id, r.key_id, decode(r.public_key, 'base64')
    from unnest(
      ${[...ids]}::bigint[], ${keyIds}::text[], ${identities.map(({ publicKey }) => publicKey.toString('base64'))}::text[]
    ) as r(id, key_id, public_key)
    returning gateway_id
  `)
  await tx.execute(sql`
    insert into directory (kind, key, owner_id, ref_id)
    select 'gateway_key', r.key_id, ${ownerId}::bigint, r.id
    from unnest(${[...ids]}::bigint[], ${keyIds}::text[]) as r(id, key_id)
  `)
}

/** Paired gateways with their devices, by set. */
export async function seedSites(
  database: Database,
  gateways: number,
  perGateway: number,
): Promise<BenchSites> {
  const { ownerId } = await database.tx('*', tx =>
    createCompany(tx, {
      companyName: '样例物业',
      loginCode: 'bench-devices',
      password: 'Anju2026',
      realName: '样例',
    }),
  )
  const identities = Array.from({ length: gateways }, newIdentity)
  return database.tx('*', async tx => {
    await tx.execute(sql`
      insert into estate (owner_id, project_code, name, project_type, state)
      values (${ownerId}, ${projectCode}, '样例', 10, 10)
    `)
    const model = await tx.one<{ id: Id }>(sql`
      insert into device_model (owner_id, name, system_type, dev_type, driver)
      values (${ownerId}, '样例', 70, 'access', 'simulator')
      returning id
    `)
    const rows = await tx.rows<{ id: Id }>(sql`
      insert into gateway (owner_id, project_code, gate_no, name, state)
      select ${ownerId}::bigint, ${projectCode}, 'G' || n, 'G' || n, 20
      from generate_series(1, ${gateways}) as n
      order by n
      returning id
    `)
    const ids = rows.map(row => row.id)
    await registerKeys(tx, ownerId, ids, identities)
    const devices = await tx.rows<{ id: Id; gatewayId: Id }>(sql`
      insert into device (owner_id, project_code, dev_no, name, model_id, gateway_id, is_online)
      select ${ownerId}::bigint, ${projectCode}, 'D' || g.id || '-' || n, 'D' || n, ${defined(model).id}::bigint, g.id, true
      from gateway g
      cross join generate_series(1, ${perGateway}) as n
      where g.owner_id = ${ownerId}
      returning id, gateway_id
    `)
    const byGateway = Map.groupBy(devices, device => device.gatewayId)
    return {
      ownerId,
      gateways: ids.map((id, i) => ({
        id,
        identity: defined(identities[i]),
        deviceIds: (byGateway.get(id) ?? []).map(device => device.id),
      })),
    }
  })
}
