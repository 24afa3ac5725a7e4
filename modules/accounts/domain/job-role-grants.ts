import type { Permission } from '#kit/contract/call.ts'
import type { ModuleManifest } from '#kit/contract/module.ts'
import type { JobRole } from './job-role.ts'
import { jobRoles } from './job-roles.ts'
import { addViewPermissions, collectPermissions } from './permission.ts'

const isGranted = ({ grants }: JobRole, { flag, menu, module }: Permission): boolean =>
  Object.entries(grants).some(
    ([place, flags]) =>
      (place === '*' || place === menu || place === `${module}.*`) &&
      (flags === '*' || flags.split(' ').includes(flag)),
  )

/** The permissions of a job's role, every one known to the installed modules. */
export function grantsOf(role: JobRole, manifests: readonly ModuleManifest[]): string[] {
  const known = collectPermissions(manifests)
  return addViewPermissions(
    [...known.values()].filter(permission => isGranted(role, permission)).map(permission => permission.key),
    known,
  )
}

/** The roles of jobs that these modules have work for. */
export const offeredJobRoles = (manifests: readonly ModuleManifest[]): readonly JobRole[] =>
  (jobRoles as readonly JobRole[]).filter(
    ({ needsModule }) =>
      needsModule === undefined || manifests.some(manifest => manifest.name === needsModule),
  )
