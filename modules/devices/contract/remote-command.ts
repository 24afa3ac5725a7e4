import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Permission } from '#kit/contract/call.ts'
import { menu } from '../module.ts'
import type { pushAction, remoteCommand } from './choices.ts'

export type RemoteCommand = ChoiceOf<typeof remoteCommand>
export type PushAction = ChoiceOf<typeof pushAction>

/** RMT-1 */
export const commandTimeoutMs = 60_000
export const pushTimeoutMs = 1_800_000

/** The code under which the text of 2095 comes back (0§4). */
export const resultTextType = 2080

const { permissions } = menu.command

interface CommandRule {
  readonly needs: Permission
  /** RMT-2: asked a second time, and audited with its whole output. */
  readonly isDangerous?: true
  readonly timeoutMs?: number
}

export const commandRules: Readonly<Record<RemoteCommand, CommandRule>> = {
  listProcesses: { needs: permissions.listProcesses },
  killProcess: { needs: permissions.killProcess, isDangerous: true },
  listServices: { needs: permissions.listServices },
  startService: { needs: permissions.startService },
  stopService: { needs: permissions.stopService, isDangerous: true },
  restartService: { needs: permissions.restartService },
  runFile: { needs: permissions.runFile },
  deleteFile: { needs: permissions.deleteFile, isDangerous: true },
  listDirectory: { needs: permissions.listDirectory },
  restartMachine: { needs: permissions.restartMachine, isDangerous: true },
  runShell: { needs: permissions.runShell, isDangerous: true },
  pushFile: { needs: permissions.pushFile, timeoutMs: pushTimeoutMs },
  updateAgent: { needs: permissions.updateAgent, isDangerous: true, timeoutMs: pushTimeoutMs },
  device: { needs: permissions.device },
}

/** RMT-4: a kernel and an interface package need rights of their own. */
export const pushPermissions: Readonly<Record<PushAction, Permission>> = {
  file: permissions.pushFile,
  kernel: permissions.pushKernel,
  package: permissions.pushPackage,
}
