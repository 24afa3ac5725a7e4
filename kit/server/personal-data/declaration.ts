import type { LegalGround } from '#kit/contract/legal-ground.ts'
import type { PeriodUnit } from '#kit/contract/period-unit.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '../app.ts'
import type { RawBuilder, Tx } from '../db.ts'

/**
 * What a column holds of a person, and with it what becomes of it when the person is erased. In rows that
 * are the person's own a `name` gives way to the person's code; a `mobile`, an `idCard`, an `email`, a
 * `detail` and a `note` are emptied; `files` are removed from the storage too; in a `text` and a `json`
 * (a text that holds a document) names and numbers of the person are replaced. A `named` is the name of
 * what is charged: it gives way where that is the person or a number plate. `keptFiles` stay until their
 * period ends, `bulkFiles` hold anybody: an erasure removes those of all rows. A `keptName` gives way as
 * well, and what stood there is kept with the request as long as the law asks for it, as is a `named` of
 * a voucher. Rows of others are touched only where somebody has confirmed that they speak of the person,
 * and copies (`isCopy`) where they hold a number that nobody else has, or the name as a whole value.
 * `kept` stays: who acted answers for it. `becomes` is SQL of the value that follows.
 */
export type ColumnRole =
  | 'name'
  | 'mobile'
  | 'idCard'
  | 'email'
  | 'detail'
  | 'files'
  | 'keptFiles'
  | 'bulkFiles'
  | 'text'
  | 'note'
  | 'json'
  | 'named'
  | 'kept'
  | 'keptName'
  | { readonly becomes: string | ((ownerId: Id) => RawBuilder<unknown>) }

/** The columns of which the rows' `search_text` is made. */
export interface SearchColumns {
  readonly names: readonly string[]
  readonly codes: readonly string[]
}

/** The records of one kind that a person has in a company. */
export interface PeopleOfKind {
  readonly ownerId: Id
  readonly ids: readonly Id[]
  /** What the person is called, for records that hold no number of the person. */
  readonly names: readonly string[]
  /** Telephones and documents of the person. */
  readonly numbers: readonly string[]
  /** Rows of a table that somebody has confirmed: the person's own where they hold one of the numbers. */
  readonly confirmed: (table: string) => readonly string[]
}

/** SQL over these people: a condition on the rows of `t`, or a count. */
export type PeopleSql = (people: PeopleOfKind) => RawBuilder<unknown>

/** Stands for every person, also for one whom no entity records: `ids` is empty. */
export const anyone = 'anyone'

/** By the entity that records people of a kind (`resident`), or by `anyone`. */
export type ByPersonKind<T> = Readonly<Record<string, T>>

/**
 * What a person is given instead of a bare number: a column of the row that `by` names (the room's path).
 */
export interface ReferencedColumn {
  readonly heading: string
  readonly table: string
  readonly column: string
  readonly by: string
}

/** What is kept of people in one table. A table without an entity has its label from `companyData`. */
export interface PersonalTable {
  readonly purpose: string
  readonly ground: LegalGround
  /** The retention rule after which it ends; without one it is kept as long as its purpose lasts. */
  readonly retention?: string
  /** Which rows are a person's own: an erasure treats all columns of them. */
  readonly people?: ByPersonKind<PeopleSql>
  /** Rows that belong to a row of another table, named by a column, are the person's own with it. */
  readonly ownWith?: readonly [table: string, by: string]
  /**
   * Rows that speak of records of all kinds: SQL over `t` of the entity's name, and the column with the
   * number.
   */
  readonly history?: readonly [entity: string, id: string]
  /** The entities of which such rows speak, where they do not speak of all. */
  readonly historyEntities?: readonly string[]
  /** Rows of a log of calls: the columns with the route and with what was sent. */
  readonly calls?: readonly [route: string, input: string]
  /**
   * Answers that are repeated for a day: the columns with the route and with the answer. Those that hold a
   * record of the person, or the record of a row of the person's own, lose their content; in others names
   * give way wherever they stand, as nobody reads them as a text.
   */
  readonly answers?: readonly [route: string, answer: string]
  /**
   * Columns with the number of whom the row is about, where no record is named. The number alone proves
   * nothing: such a row is the person's own when somebody has confirmed it.
   */
  readonly ownBy?: readonly string[]
  /** SQL over `t` of the rows that may be a hint: others are of somebody who is known. */
  readonly hints?: string
  /**
   * Rows repeat what stands elsewhere (a log, a message that was sent): nothing in them is the only
   * place.
   */
  readonly isCopy?: true
  readonly columns: Readonly<Record<string, ColumnRole>>
  /** Columns of others' rows that speak of the person nevertheless: SQL of the rows in which they do. */
  readonly beside?: Readonly<Record<string, ByPersonKind<PeopleSql>>>
  /**
   * What a person is given of the own rows, in this order: columns of the table's entity or of
   * `companyData`. Nothing else of the table leaves the company, and no secret can be named here.
   */
  readonly exported?: readonly (string | ReferencedColumn)[]
  readonly searchText?: SearchColumns
  /** Erasing a person deletes the person's own rows. */
  readonly isDeleted?: true
  /** What may stand in the content itself is for people to look through. */
  readonly needsReview?: true
  /** An erasure deletes all rows: files that were handed in or out and hold anybody. */
  readonly isEmptied?: true
}

/** Tables whose rows end by themselves within a day or so: they are not searched. */
export interface TransientTable {
  readonly transient: string
}

/** An entity that records people. */
export interface PersonKind {
  readonly entity: string
  readonly label: string
  readonly table: string
  readonly name: string
  readonly mobiles?: readonly string[]
  readonly idCards?: readonly string[]
  readonly emails?: readonly string[]
  /** SQL over `t` of what tells namesakes apart: a room, a company, a number. */
  readonly place?: (ownerId: Id) => RawBuilder<unknown>
  /** SQL condition on `t` of the records that still name somebody: all of them without it. */
  readonly naming?: RawBuilder<unknown>
  /** One person has a record for each time: lists show the latest of each. */
  readonly isRepeated?: true
  /** SQL of the `id`s that were merged with these, in either direction. */
  readonly merged?: (of: { readonly ownerId: Id; readonly ids: readonly Id[] }) => RawBuilder<unknown>
}

/** What must be settled before a person is erased: named, and what to do about it, and where. */
export interface ErasureBlocker {
  readonly label: string
  readonly advice: string
  /** The screen on which it is settled. */
  readonly path: string
  /** SQL that answers, for each of them, what it is called (a number, a room) as `number`. */
  readonly found: ByPersonKind<PeopleSql>
}

export interface ErasedPeople extends PeopleOfKind {
  readonly tx: Tx
  readonly app: App
}

/**
 * Rows of a table whose time has passed: they go, or their columns are treated as an erasure treats them.
 */
export interface RetentionStep {
  readonly table: string
  /**
   * SQL condition on `t`: the rows whose time ended before the moment and that still hold something, so
   * that rows that were treated are not found again.
   */
  readonly due: (of: {
    readonly ownerId: Id
    readonly before: Date
    /** When the day of the run began, for a period that is set elsewhere. */
    readonly dayBegin: Date
  }) => RawBuilder<unknown>
  readonly clears?: readonly string[]
  /** What cleared columns hold afterwards, where they are not simply empty; by column, other columns too. */
  readonly sets?: (of: { readonly time: Date }) => Readonly<Record<string, RawBuilder<unknown>>>
  /** Nothing of what was logged of the rows stays, beside that they were changed. */
  readonly emptiesHistory?: true
}

/** How long one kind of data is kept; a company sets the period within the bounds. */
export interface RetentionRule {
  readonly key: string
  readonly label: string
  /** What ends, and counted from when. */
  readonly content: string
  /** Where the bound comes from. */
  readonly basis: string
  readonly unit: PeriodUnit
  readonly initial: number
  readonly min: number
  readonly max: number
  /** None: the period only says until when something is kept that an erasure leaves. */
  readonly steps: readonly RetentionStep[]
  /** Taken whether the job is switched on or not: selects `owner_id` of where some may be due. */
  readonly always?: RawBuilder<unknown>
  /** Each project has a period of its own: where it is set. Here it is `initial`, and cannot be changed. */
  readonly setIn?: { readonly title: string; readonly path: string }
}

/** A module's part in what is known of people, in erasing it, and in how long it is kept. */
/** People who are found by what else is recorded of them; no condition where the word is something else. */
export interface PeopleSearch {
  /** Rows `t` of each kind, by the name of its entity. */
  readonly conditions: (ownerId: Id, keyword: string) => ByPersonKind<RawBuilder<unknown>>
}

export interface PersonalData {
  readonly searches?: readonly PeopleSearch[]
  readonly kinds?: readonly PersonKind[]
  readonly tables?: Readonly<Record<string, PersonalTable | TransientTable>>
  readonly blockers?: readonly ErasureBlocker[]
  readonly retention?: readonly RetentionRule[]
  /**
   * Rows of another module's tables that are a person's own, by table: what a device holds for a credential
   * of this module.
   */
  readonly ownRows?: Readonly<Record<string, ByPersonKind<PeopleSql>>>
  /** What has to be done while their rows still stand: what devices hold of them is withdrawn. */
  readonly onErasing?: ByPersonKind<(people: ErasedPeople) => Promise<void>>
  /** What else ends with people of a kind, in the transaction that erases them. */
  readonly onErased?: ByPersonKind<(people: ErasedPeople) => Promise<void>>
  /** Columns that are called like personal data and hold none: `table.column`. */
  readonly notPersonal?: readonly string[]
}
