import { codeOf, type Day, type Id } from '#kit/contract/field.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { apiKeyDigest, newApiKey, visibleStart } from '#kit/server/api-key.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import { addEntry } from '#kit/server/directory.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { menu as billMenu } from '#modules/bills/module.ts'
import { apiKeyState, keyRateLimits } from '#modules/integrations/contract/api-key.ts'
import { deliveryState, webhookEvent, webhookState } from '#modules/integrations/contract/webhook.ts'
import { replaceSecret } from '#modules/integrations/server/webhook-secret.ts'
import { listRecords } from '#modules/payments/contract/record.ts'
import { menu as paymentMenu } from '#modules/payments/module.ts'
import { stampOf } from './stamp.ts'

const keyPermissions = [billMenu.bill.permissions.view, paymentMenu.record.permissions.view].map(p => p.key)

interface DemoKey {
  readonly name: string
  readonly state: keyof typeof apiKeyState.rows
}

/** Nobody knows the key itself: what it may do is shown, and nothing can be done with it. */
async function putKey(tx: Tx, scope: Scope, project: string, { name, state }: DemoKey): Promise<Id> {
  const secret = newApiKey()
  const isRevoked = state === 'revoked'
  const row = await tx.one<{ id: Id }>(sql`
    insert into api_key (
      owner_id, create_by, update_by, name, visible_start, permissions, project_codes, per_minute, state,
      creator_id, revoke_time, revoke_reason, create_time
    )
    values (
      ${stampOf(scope)}, ${name}, ${visibleStart(secret)}, ${keyPermissions}, ${[project]},
      ${keyRateLimits.initial}, ${code(apiKeyState, state)}, ${scope.operatorId},
      case when ${isRevoked} then now() - interval '30 days' end,
      case when ${isRevoked} then '更换对接系统' end, now() - interval '60 days'
    )
    returning id
  `)
  const { id } = defined(row)
  if (!isRevoked) {
    await addEntry(tx, 'api_key', apiKeyDigest(secret), { ownerId: scope.ownerId, refId: id })
  }
  return id
}

/** The bills and receipts that a finance system fetched on the mornings of the last days. */
async function putCalls(tx: Tx, { ownerId }: Scope, keyId: Id): Promise<void> {
  await tx.execute(sql`
    insert into api_key_call (
      owner_id, key_id, create_time, call, title, code, took_ms, ip, request_id
    )
    select ${ownerId}, ${keyId}, now() - day * interval '1 day' - c.n * interval '7 seconds', c.call, c.title,
      ${resultCode.ok}::integer, 18 + (day * 7 + c.n * 13) % 40, '10.20.3.15', 'finance-' || day || '-' || c.n
    from generate_series(1, 6) day,
      (values (1, ${listBills.route}, ${listBills.title}), (2, ${listRecords.route}, ${listRecords.title})) as c(n, call, title)
  `)
  await tx.execute(sql`
    update api_key k
    set call_count = c.calls, last_time = c.last_time, last_ip = '10.20.3.15'
    from (
      select count(*) as calls, max(create_time) as last_time
      from api_key_call
      where owner_id = ${ownerId} and key_id = ${keyId}
    ) c
    where k.owner_id = ${ownerId} and k.id = ${keyId}
  `)
}

/** An address that is off: nothing is sent from a demo. */
async function putEndpoint(tx: Tx, scope: Scope, project: string): Promise<Id> {
  const row = await tx.one<{ id: Id }>(sql`
    insert into webhook_endpoint (
      owner_id, create_by, update_by, name, url, event_types, project_codes, state, creator_id,
      last_success_time, last_failure_time, create_time
    )
    values (
      ${stampOf(scope)}, '财务系统', 'https://finance.example.com/anju/events',
      ${[codeOf(webhookEvent, 'paymentCreated'), codeOf(webhookEvent, 'refundCompleted')]}, ${[project]},
      ${code(webhookState, 'off')}, ${scope.operatorId}, now() - interval '1 day',
      now() - interval '2 days', now() - interval '60 days'
    )
    returning id
  `)
  return defined(row).id
}

/** What was sent there: the receipts of the days before it was turned off, one of them without success. */
async function putDeliveries(
  tx: Tx,
  { ownerId }: Scope,
  endpointId: Id,
  project: string,
  today: Day,
): Promise<void> {
  await tx.execute(sql`
    insert into webhook_delivery (
      owner_id, endpoint_id, type, subject_id, event_time, state, attempts, last_time, status_code, took_ms,
      reason, attempt_log, create_time
    )
    select ${ownerId}, ${endpointId}, ${code(webhookEvent, 'paymentCreated')}, p.id, p.create_time,
      case when p.n = 4 then ${code(deliveryState, 'failed')} else ${code(deliveryState, 'delivered')} end, 1,
      p.create_time + interval '1 second', case when p.n = 4 then 500 else 200 end, 30 + p.n,
      case when p.n = 4 then '应答 500' end,
      jsonb_build_array(
        jsonb_strip_nulls(
          jsonb_build_object(
            'time', to_char(p.create_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS'),
            'tookMs', 30 + p.n, 'statusCode', case when p.n = 4 then 500 else 200 end,
            'reason', case when p.n = 4 then '应答 500' end
          )
        )
      ),
      p.create_time
    from (
      select id, create_time, row_number() over (order by id desc) as n
      from pay_record
      where owner_id = ${ownerId} and project_code = ${project} and delete_tag = 0
        and create_time < ${today}::date::timestamptz
      order by id desc
      limit 12
    ) p
    order by p.id
  `)
}

/** A finance system that is connected: its key and calls, its address and what was sent to it. */
export async function seedIntegrations(
  database: Database,
  scope: Scope,
  project: string,
  { today, dataDir }: { readonly today: Day; readonly dataDir: string },
): Promise<void> {
  await database.tx(scope.ownerId, async tx => {
    await putKey(tx, scope, project, { name: '旧财务系统', state: 'revoked' })
    const keyId = await putKey(tx, scope, project, { name: '财务系统', state: 'valid' })
    await putCalls(tx, scope, keyId)
    const endpointId = await putEndpoint(tx, scope, project)
    await replaceSecret(tx, { dataDir, clock: Date.now }, scope.ownerId, endpointId)
    await putDeliveries(tx, scope, endpointId, project, today)
  })
}
