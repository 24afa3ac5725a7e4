import { everyone, isWrite, publicAccess, type Call } from '#kit/contract/call.ts'
import type { Field } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { valuesByKey } from '../column-storage.ts'
import {
  hasProject,
  moduleNotEnabled,
  outOfDomain,
  requirePermission,
  withoutClosedProjects,
  type Caller,
} from '../scope.ts'
import { moduleLabelOf, moduleOfCall } from './registration.ts'

/** 401: no token, an ended or a renewed-away one. */
export class SignInRequired extends Error {}

/**
 * Refuses callers who must first change the password or bind a second factor (PERM-9). Everything that serves
 * a session besides the calls checks this, too.
 */
export function assertSetUp(caller: Caller): void {
  if (caller.mustChangePassword)
    throw new Refused(resultCode.forbidden, '首次登录或密码已被重置，请先修改密码')
  if (caller.mustBindSecondFactor)
    throw new Refused(resultCode.forbidden, '你的角色要求二次验证，请先绑定动态验证码')
}

/** Whether a key may make a call that needs no permission of its own. */
function isOpenToKeys(call: Call, caller: Caller): boolean {
  if (call.openToKeys) return true
  if (call.needs !== everyone || isWrite(call)) return false
  const module = moduleOfCall(call)
  return [...caller.permissions].some(key => key.startsWith(`${module}.`))
}

/** Refuses who may not make the call; asked before anything of it is read, an upload too. */
export function authorize(call: Call, caller: Caller | undefined): void {
  if (!caller && call.needs !== publicAccess) throw new SignInRequired()
  if (!caller) return
  if (caller.disabledModules?.has(moduleOfCall(call) ?? '')) throw moduleNotEnabled(caller)
  if (call.needs !== publicAccess && !call.duringSetup) {
    assertSetUp(caller)
  }
  if (typeof call.needs === 'object') {
    requirePermission(caller, call.needs)
  } else if (caller.apiKey && !isOpenToKeys(call, caller)) {
    throw new Refused(
      resultCode.forbidden,
      call.needs === everyone && !isWrite(call)
        ? `接口密钥没有「${moduleLabelOf(call) ?? ''}」模块的权限，请在「接口密钥」中授予其中任一权限`
        : '此接口只供登录后使用，接口密钥不能调用',
    )
  }
}

/** Whether the caller may make the call. */
export function isAuthorized(call: Call, caller: Caller): boolean {
  try {
    authorize(call, caller)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

/** The caller's scope in this call: without projects that do not use its menu. */
export const callerFor = <T extends Caller | undefined>(call: Call, caller: T): T =>
  caller && typeof call.needs === 'object' ? withoutClosedProjects(caller, call.needs.menu) : caller

/** Why a project is refused: it does not use the call's menu, or it is outside the data domain. */
export function projectRefusal({ needs }: Call, caller: Caller, project: string): Refused {
  return typeof needs === 'object' && caller.closedMenus?.get(needs.menu)?.has(project)
    ? new Refused(
        resultCode.forbidden,
        `项目「${project}」未启用「${needs.label.split('·')[0]}」，请在项目菜单中启用后再操作`,
      )
    : outOfDomain()
}

/** Values of fields with a data domain must be in the caller's, anywhere in the input. */
export function checkDataDomain(
  call: Call,
  fields: Readonly<Record<string, Field>>,
  input: unknown,
  caller: Caller,
): void {
  if (caller.domain.all || input === null || typeof input !== 'object') return
  const values = valuesByKey(input)
  for (const [key, field] of Object.entries(fields)) {
    const value = values[key]
    if (value === undefined) continue
    const all: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (field.dataDomain === 'project') {
      const outside = all.find(project => !hasProject(caller.domain, String(project)))
      if (outside !== undefined) throw projectRefusal(call, caller, String(outside))
    } else if (field.kind === 'part') {
      checkDataDomain(call, nestedFieldsOf(field), value, caller)
    } else if (field.kind === 'lines') {
      for (const row of all) {
        checkDataDomain(call, nestedFieldsOf(field), row, caller)
      }
    }
  }
}
