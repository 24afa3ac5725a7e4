import type pg from 'pg'
import type { Id } from '#kit/domain/id.ts'

/**
 * Why data of a company stay behind when it is exported: a `secret` would let its reader in somewhere;
 * `transient` data are of use to this installation alone, for hours at most.
 */
export type Omission = 'secret' | 'transient'

/** A heading, or a column that stays behind. */
type ColumnDeclaration = string | { readonly heading: string; readonly omitted: Omission }

export const secretColumn = (heading: string): ColumnDeclaration => ({ heading, omitted: 'secret' })
export const transientColumn = (heading: string): ColumnDeclaration => ({ heading, omitted: 'transient' })

/**
 * What an entity does not say of its table, and all there is to say of a table without one. A column that
 * nothing declares keeps the export from starting: what is new is never left out, nor a secret given away,
 * by mistake.
 */
export interface CompanyTable {
  /** What people call the rows; an entity's table has its label. */
  readonly label?: string
  readonly columns?: Readonly<Record<string, ColumnDeclaration>>
  /** No row of it is exported. */
  readonly omitted?: Omission
  /** Which rows are exported, as SQL; the others are transient. */
  readonly rows?: string
  /** Which rows stay behind because they hold a secret, in words; `rows` leaves them out. */
  readonly secretRows?: string
  /**
   * What columns become at their import, as SQL: what worked by a secret that stayed behind is switched off.
   */
  readonly imported?: Readonly<Record<string, string>>
}

export type CompanyTables = Readonly<Record<string, CompanyTable>>

/** A module's part in the export of everything a company owns, and in its import. */
export interface CompanyData {
  readonly tables?: CompanyTables
  /**
   * SQL that answers the folder of stored files as `key` and `folder` (parts separated by `/`), for the
   * company `$1`; without it, files are under the record that holds them.
   */
  readonly fileFolders?: string
  /**
   * What the module sets up in place of secrets that stayed behind, in the transaction of the import. Returns
   * what the operator must know.
   */
  readonly onImport?: (client: Pick<pg.ClientBase, 'query'>, ownerId: Id) => Promise<readonly string[]>
}
