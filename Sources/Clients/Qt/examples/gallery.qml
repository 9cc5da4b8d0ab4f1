// SPDX-License-Identifier: MIT
// A gallery: a banner that stretches when it is pulled and collapses to a bar, and albums that stay below it.
import QtQuick
import Headerd

HeaderedFlickable {
    width: 360; height: 640
    description: ({ delegates: [{ behavior: "CollapsingHeader", options: { drawers: [
        { drawer: "banner", collapse: true, returns: "atTop", stretch: { factor: 1 } }, { drawer: "albums", pin: true }] } }] })
    flickable: GridView {
        model: 90
        cellWidth: width / 3; cellHeight: cellWidth
        focus: true
        Accessible.role: Accessible.List; Accessible.name: "Pictures"
        delegate: Rectangle {
            required property int index
            readonly property real hue: index * 37 % 100 / 100
            width: GridView.view.cellWidth; height: width
            border { color: "white"; width: GridView.isCurrentItem ? 4 : 1 }
            gradient: Gradient {
                GradientStop { position: 0; color: Qt.hsva(hue, 0.35, 0.95, 1) }
                GradientStop { position: 1; color: Qt.hsva(hue, 0.6, 0.6, 1) }
            }
            Accessible.role: Accessible.ListItem; Accessible.name: "Picture " + (index + 1)
        }
    }
    Rectangle {
        id: banner
        readonly property var drawer: ({ minimumHeight: 48 })
        // 0 where it is whole, 1 where it is a bar.
        readonly property real share: Math.min(1, Math.max(0, (180 - height) / 132))
        objectName: "banner"
        implicitHeight: 180
        color: "#3c6a7d"
        Text {
            text: "Gallery"; color: "white"
            x: 16
            y: parent.height - height - 16 + 6 * banner.share
            font { pixelSize: 36 - 16 * banner.share; bold: true }
            Accessible.role: Accessible.Heading; Accessible.name: text
        }
    }
    Rectangle {
        objectName: "albums"
        implicitHeight: 40
        color: "#eef2f1"
        Accessible.role: Accessible.PageTabList; Accessible.name: "Albums"
        Row {
            anchors.centerIn: parent; spacing: 48
            Repeater {
                model: ["All", "Hills", "Lakes"]
                Text {
                    required property string modelData
                    text: modelData
                    font.pixelSize: 15
                    Accessible.role: Accessible.PageTab; Accessible.name: text
                }
            }
        }
    }
}
