import { labelOf } from '#kit/contract/field.ts'
import { roomState, type RoomState } from '../contract/labels.ts'
import { tintStyle } from './board-style.ts'
import './rooms.css'

/** What a room is used as: a category on the board's own tint. */
export const RoomStateTag = ({ state }: { readonly state: RoomState }) => (
  <b className="room-state" style={tintStyle(state)}>
    {labelOf(roomState, state)}
  </b>
)
