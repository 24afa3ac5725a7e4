import * as board from './room-board.ts'
import * as change from './room-change.ts'
import * as room from './room.ts'
import * as transfer from './import-export.ts'
import * as words from './labels.ts'

export const contract = {
  calls: [
    room.listRooms,
    room.findRooms,
    room.getRoom,
    room.addRoom,
    room.editRoom,
    room.deleteRooms,
    room.previewRoomBatch,
    room.addRoomBatch,
    change.changeRoomAreas,
    change.listRoomChanges,
    change.cancelRoomChanges,
    change.changeRoomState,
    board.listBoardBuildings,
    board.getRoomBoard,
    board.getRoomPanel,
    board.listPositionNodes,
    ...transfer.importRooms.calls,
    ...transfer.exportRooms.calls,
    ...transfer.exportShops.calls,
  ],
  entities: [room.room, change.roomChange],
  choices: [
    words.roomType,
    words.roomState,
    words.useType,
    words.sceneType,
    words.placeKind,
    words.positionLevel,
    words.changeItem,
    words.payerKind,
    words.duplicateMode,
    board.sectionTone,
  ],
}
