// SPDX-License-Identifier: MIT
import { me } from "./model/credentials";
import { place } from "./model/route";
import { Elections } from "./pages/Elections";
import { ElectionDetail } from "./pages/ElectionDetail";
import { Journal } from "./pages/Journal";
import { LockDetail } from "./pages/LockDetail";
import { Locks } from "./pages/Locks";
import { Overview } from "./pages/Overview";
import { SessionDetail } from "./pages/SessionDetail";
import { Sessions } from "./pages/Sessions";
import { System } from "./pages/System";
import { Webhooks } from "./pages/Webhooks";
import { WebhookDetail } from "./pages/WebhookDetail";
import { DeliveryDetail } from "./pages/DeliveryDetail";
import { ActionDialog } from "./view/ActionDialog";
import { Announcer } from "./view/Announcer";
import { Finder } from "./view/Finder";
import { Empty } from "./view/Parts";
import { Shell } from "./view/Shell";
import { Shortcuts } from "./view/Shortcuts";
import { SignIn } from "./view/SignIn";

function Page() {
    const { page, rest } = place.value;
    const key = rest.join("/");
    switch (page) {
        case "overview": return <Overview />;
        case "elections": return rest[0] ? <ElectionDetail key={key} id={rest[0]} /> : <Elections />;
        case "locks": return rest[0] ? <LockDetail key={key} name={rest[0]} /> : <Locks />;
        case "sessions": return rest[0] ? <SessionDetail key={key} id={rest[0]} /> : <Sessions />;
        case "webhooks":
            if (rest[1]) return <DeliveryDetail key={key} webhook={rest[0]} delivery={rest[1]} />;
            return rest[0] ? <WebhookDetail key={key} id={rest[0]} /> : <Webhooks />;
        case "journal": return <Journal />;
        case "system": return <System />;
        default: return <Empty title="There is no such page"><p><a href="#/overview">Overview</a></p></Empty>;
    }
}

export function App() {
    if (!me.value) return <SignIn />;
    return (
        <>
            <Shell><Page /></Shell>
            <ActionDialog />
            <Finder />
            <Shortcuts />
            <Announcer />
        </>
    );
}
