import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import { hasProject, type Caller } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import type { login } from '../contract/sign-in.ts'
import { notifyNewDevice } from './account-notifications.ts'
import { createCallerLoader, toManagerType } from './caller.ts'
import { callerActor } from './request-actor.ts'
import type { SignInAccount } from './sign-in-account.ts'
import { signInCounter } from './sign-in-count.ts'

type SignInOutput = NonNullable<(typeof login)['output']['T']>

export const toSignedInManager = (account: SignInAccount): SignInOutput['manager'] => ({
  id: account.id,
  ownerId: account.ownerId,
  loginCode: account.loginCode,
  companyName: account.companyName,
  realName: account.realName,
  managerType: toManagerType(account.managerType),
  mustChange: account.mustChange,
  mustBind: account.mustBind,
  idleMinutes: account.idleMinutes,
  showPrivacy: toManagerType(account.managerType) === 'owner' || account.showPrivacy,
  allProject: toManagerType(account.managerType) === 'owner' || account.allProject,
  ...(account.granter === undefined ? {} : { granter: `超级管理员 ${account.granter}` }),
  ...(account.mobile === undefined ? {} : { mobile: account.mobile }),
  ...(account.headImage === undefined ? {} : { headImage: account.headImage }),
})

/**
 * The project to start in: the last chosen one while the data domain still has it, else the first of the
 * domain.
 */
async function findInitialProject(
  c: AnonymousContext,
  caller: Caller,
  lastProject: string | undefined,
): Promise<string | undefined> {
  if (lastProject && hasProject(caller.domain, lastProject)) return lastProject
  const [first] = await findAll(
    c.app.database.reader(caller.ownerId),
    estate,
    { ...caller, projectCode: '', ip: c.ip, requestId: c.requestId, time: c.now },
    {},
    { keys: ['projectCode'], limit: 1 },
  )
  return first?.projectCode
}

/**
 * Signs in an account that has proved its identity: a session, its audit entry, and what the browser keeps.
 */
export async function startSession(
  c: AnonymousContext,
  account: SignInAccount,
  entry = 'web',
): Promise<SignInOutput> {
  signInCounter.add('ok')
  const { database, sessions, clock } = c.app
  const { ownerId, id } = account
  const caller = (await createCallerLoader(database)(ownerId, id)) ?? refuse('账号已停用，请联系管理员')
  // Before the session is created: its own device would be a known one.
  await database.tx(ownerId, tx => notifyNewDevice(tx, c.app, account, c.agent, c.ip))
  const token = await sessions.create(ownerId, id, { ip: c.ip, agent: c.agent, kind: entry })
  await database.tx(ownerId, async tx => {
    await tx.execute(
      sql`
        update manager
        set last_login_time = ${new Date(clock())}, last_login_ip = ${c.ip}
        where owner_id = ${ownerId} and id = ${id}
      `,
    )
    await audit(tx, callerActor(c, caller), [
      {
        action: 'signin',
        entity: 'manager',
        entityId: id,
        after: { agent: c.agent.slice(0, 200), entry },
      },
    ])
  })
  const project = await findInitialProject(c, caller, account.nearestProject)
  return {
    token,
    manager: toSignedInManager(account),
    ...(project === undefined ? {} : { nearestProjectCode: project }),
  }
}
