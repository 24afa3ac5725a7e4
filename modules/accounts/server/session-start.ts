import { keyOf } from '#kit/contract/field.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import { hasProject, type Caller } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { managerType } from '../contract/manager.ts'
import type { login } from '../contract/sign-in.ts'
import { createCallerLoader } from './caller.ts'
import { refuse } from '#kit/contract/wire.ts'
import { notifyNewDevice } from './account-notifications.ts'
import type { SignInAccount } from './sign-in.ts'

type SignInOutput = NonNullable<(typeof login)['output']['T']>

export const toSignedInManager = (m: SignInAccount): SignInOutput['manager'] => ({
  id: m.id,
  ownerId: m.ownerId,
  loginCode: m.loginCode,
  companyName: m.companyName,
  realName: m.realName,
  managerType: keyOf(managerType, m.managerType)!,
  mustChange: m.mustChange,
  mustBind: m.mustBind,
  idleMinutes: m.idleMinutes,
  ...(m.granter === undefined ? {} : { granter: `超级管理员 ${m.granter}` }),
  ...(m.mobile === undefined ? {} : { mobile: m.mobile }),
  ...(m.headImage === undefined ? {} : { headImage: m.headImage }),
})

/** The project to begin in: the last chosen one while it is still within reach, else the first that is. */
export async function findInitialProject(
  c: AnonymousContext,
  caller: Caller,
  last: string | undefined,
): Promise<string | undefined> {
  if (last && hasProject(caller.domain, last)) return last
  const [first] = await findAll(
    c.app.database.reader(caller.ownerId),
    estate,
    { ...caller, projectCode: '', ip: c.ip, requestId: c.requestId, time: c.now },
    {},
    { keys: ['projectCode'], limit: 1 },
  )
  return first?.projectCode
}

/** Lets somebody in who has proved who he is: a session, its trace, and what the browser keeps. */
export async function startSession(
  c: AnonymousContext,
  m: SignInAccount,
  entry: string | undefined,
): Promise<SignInOutput> {
  const { database, sessions, clock } = c.app
  const caller = (await createCallerLoader(database)(m.ownerId, m.id)) ?? refuse('账号已停用，请联系管理员')
  // Asked before this session is one of them.
  await database.tx(m.ownerId, tx => notifyNewDevice(tx, c.app, m, c.agent, c.ip))
  const token = await sessions.create(m.ownerId, m.id, { ip: c.ip, agent: c.agent, kind: entry ?? 'web' })
  await database.tx(m.ownerId, async tx => {
    await tx.execute(
      sql`
        update manager
        set last_login_time = ${new Date(clock())}, last_login_ip = ${c.ip}
        where owner_id = ${m.ownerId} and id = ${m.id}
      `,
    )
    await audit(tx, { ...caller, ip: c.ip, requestId: c.requestId }, [
      {
        action: 'signin',
        entity: 'manager',
        entityId: m.id,
        after: { agent: c.agent.slice(0, 200), entry: entry ?? 'web' },
      },
    ])
  })
  const project = await findInitialProject(c, caller, m.nearestProject)
  return {
    token,
    manager: toSignedInManager(m),
    ...(project === undefined ? {} : { nearestProjectCode: project }),
  }
}
