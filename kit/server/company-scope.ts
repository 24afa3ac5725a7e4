/** A company's id, or `*` for the installation's own work: sign-in, jobs, backup. */
export type CompanyScope = number | '*'

/**
 * The only place that sets whose rows a transaction sees (`app.owner_id`, which the policies of all company
 * tables read). `set local`, because a distributed engine hands it on to its nodes and never does so with
 * `set_config()`, under which every table looks empty. The value cannot be a parameter there, so it is
 * checked.
 */
export function companyScopeSql(ownerId: CompanyScope): string {
  if (ownerId !== '*' && !(Number.isSafeInteger(ownerId) && ownerId >= 0)) {
    throw new Error(`not a company: ${JSON.stringify(ownerId)}`)
  }
  return `set local app.owner_id = '${ownerId}'`
}
