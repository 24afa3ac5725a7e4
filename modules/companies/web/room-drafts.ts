import type { CompanyRoomDraft } from '../contract/company.ts'
import type { RoomRow } from './company-rooms-control.tsx'

/** What is sent of the rooms of a form. */
export const toRoomDrafts = (rows: readonly RoomRow[] | undefined): CompanyRoomDraft[] =>
  (rows ?? []).map(({ roomCode: _, roomPath: __, ...r }) => r as CompanyRoomDraft)
