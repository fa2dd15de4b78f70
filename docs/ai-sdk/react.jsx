/** The page with React: `useChat` of @ai-sdk/react over the chat of `desk.js`. */
import { Chat, useChat } from "@ai-sdk/react";
import { isToolUIPart } from "ai";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { answer, chatId, isAsked, open, settings, stop, words } from "./desk.js";

const chat = new Chat(settings(chatId()));

function Page() {
  const { messages, sendMessage, status, error } = useChat({ chat });
  const [unopened, setUnopened] = useState();
  const [text, setText] = useState("");
  useEffect(() => {
    open(chat).catch(setUnopened);
  }, []);
  const submit = (event) => {
    event.preventDefault();
    sendMessage({ text });
    setText("");
  };
  const fault = error ?? unopened;
  return (
    <>
      {messages.map((message) => (
        <article key={message.id} className={message.role}>
          {message.parts.map((part, index) => (
            <Part key={index} message={message} part={part} />
          ))}
        </article>
      ))}
      {fault && <p role="alert">{words(fault)}</p>}
      <form onSubmit={submit}>
        <input value={text} onChange={(event) => setText(event.target.value)} placeholder="Ask something" />
        <button>Send</button>
        {status !== "ready" && status !== "error" && (
          <button type="button" onClick={() => stop(chat)}>
            Stop
          </button>
        )}
      </form>
    </>
  );
}

function Part({ message, part }) {
  if (part.type === "text") return <p>{part.text}</p>;
  if (part.type === "reasoning") return <p><em>{part.text}</em></p>;
  if (part.type === "file" && part.mediaType.startsWith("image/")) return <img src={part.url} alt="" />;
  if (part.type === "data-table") return <pre>{part.data.rows.map((row) => row.join("\t")).join("\n")}</pre>;
  if (!isToolUIPart(part)) return null;
  return (
    <div className={`${part.type} ${part.state}`}>
      <code>
        {part.type} {JSON.stringify(part.input)} → {part.errorText ?? JSON.stringify(part.output) ?? part.state}
      </code>
      {isAsked(chat, message, part) && (
        <>
          <button onClick={() => answer(chat, part, true)}>Allow</button>
          <button onClick={() => answer(chat, part, false)}>Deny</button>
        </>
      )}
    </div>
  );
}

createRoot(document.querySelector("#root")).render(<Page />);
