import { labelOf } from '#kit/contract/field.ts'
import { roomState, type RoomState } from '../contract/words.ts'
import { tintOf } from './look.ts'
import './rooms.css'

/** What a room is used as: a category on the board's own tint. */
export const StateWord = ({ state }: { readonly state: RoomState }) => (
  <b className="room-state" style={tintOf(state)}>
    {labelOf(roomState, state)}
  </b>
)
